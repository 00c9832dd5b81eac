import { type Address, type BlockReader, type SealedHeader, simulateCall } from "@plinth/core";
import { decodeBoolean } from "./abi.js";

/** What a contract says: yes, no, nothing that can be understood, or that it is not there. */
export type Verdict = "allowed" | "refused" | "unclear" | "absent";

/** A rule costs nothing, and does not look at balances. */
const FREE = {
  raisesFunds: false,
  dropsFees: true,
  feesMakeStrict: false,
  strictPaysBaseFee: false,
};
/** A rule that needs more than this answers nothing. */
const MAX_GAS = 50_000_000n;

/** A contract that decides, on the state after a block. */
export class RuleContract {
  readonly address: Address;
  readonly #blocks: BlockReader;

  constructor(address: Address, blocks: BlockReader) {
    this.address = address;
    this.#blocks = blocks;
  }

  async ask(data: Uint8Array, header: SealedHeader): Promise<Verdict> {
    const state = this.#blocks.stateAt(header);
    if (state.getCode(this.address).length === 0) return "absent";
    const gasLimit = header.gasLimit < MAX_GAS ? header.gasLimit : MAX_GAS;
    const request = { to: this.address, data, value: 0n };
    const { outcome, returnValue } = await simulateCall(this.#blocks, request, {
      header,
      gasLimit,
      rules: FREE,
    });
    const answer = outcome === "success" ? decodeBoolean(returnValue) : undefined;
    if (answer === undefined) return "unclear";
    return answer ? "allowed" : "refused";
  }
}
