import { type Address, type BlockReader, type SealedHeader, ZERO_ADDRESS } from "@plinth/core";
import { decodeBoolean } from "./abi.js";

/** Verdict of a contract: yes, no, an invalid result, or a missing contract. */
export type Verdict = "allowed" | "refused" | "unclear" | "absent";

/**
 * Gas limit of a rule; a rule that needs more has an invalid result.
 *
 * It is the only limit: the verdict of a rule must not depend on the speed of a machine.
 */
const GAS = 10_000_000n;

/** A contract that decides on the state after a block. */
export class RuleContract {
  readonly address: Address;
  readonly #blocks: BlockReader;

  constructor(address: Address, blocks: BlockReader) {
    this.address = address;
    this.#blocks = blocks;
  }

  async ask(data: Uint8Array, header: SealedHeader): Promise<Verdict> {
    if (this.#blocks.stateAt(header).getCode(this.address).length === 0) return "absent";
    const message = {
      from: ZERO_ADDRESS,
      to: this.address,
      data,
      value: 0n,
      gasLimit: GAS,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
    };
    const { outcome, returnValue } = await this.#blocks.call(message, header);
    const answer = outcome === "success" ? decodeBoolean(returnValue) : undefined;
    if (answer === undefined) return "unclear";
    return answer ? "allowed" : "refused";
  }
}
