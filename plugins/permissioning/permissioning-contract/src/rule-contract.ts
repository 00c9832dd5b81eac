import { type Address, type BlockReader, type SealedHeader, ZERO_ADDRESS } from "@plinth/core";
import { decodeBoolean } from "./abi.js";

/** What a contract says: yes, no, nothing that can be understood, or that it is not there. */
export type Verdict = "allowed" | "refused" | "unclear" | "absent";

/**
 * A rule that needs more answers nothing.
 *
 * It is the only bound: what a rule says must not depend on how fast a machine is.
 */
const GAS = 10_000_000n;

/** A contract that decides, on the state after a block. */
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
