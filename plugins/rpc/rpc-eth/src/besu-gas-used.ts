import { type EvmResult, type Fork, rulesOf, type Tracer, type TraceStep } from "@plinth/core/evm";

const SSTORE = 0x55;

/** Notes what Besu adds to the gas of a call: for how deep it goes, and for storing something. */
export class GasNotes implements Tracer {
  readonly readsAtOnce = true;
  #depth = 0;
  #stores = false;

  step({ depth, op }: TraceStep): void {
    this.#depth = Math.max(this.#depth, depth - 1);
    this.#stores ||= op === SSTORE;
  }

  /** The gas that Besu shows for a call that ran: a 64th more for each frame in another. */
  gasOf({ gasUsed, gasBeforeRefund = gasUsed }: EvmResult, fork: Fork): bigint {
    const left = this.#stores ? BigInt(rulesOf(fork).storeReserve) : 0n;
    return BigInt(Math.trunc(Number(gasBeforeRefund + left) * (65 / 64) ** this.#depth));
  }
}
