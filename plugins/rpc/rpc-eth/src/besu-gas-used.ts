import { type EvmResult, type Fork, rulesOf, type Tracer, type TraceStep } from "@plinth/core/evm";

const SSTORE = 0x55;

/** Tracks what Besu adds to the gas of a call: for its depth, and for storing a value. */
export class GasNotes implements Tracer {
  readonly readsAtOnce = true;
  #depth = 0;
  #stores = false;

  step({ depth, op }: TraceStep): void {
    this.#depth = Math.max(this.#depth, depth - 1);
    this.#stores ||= op === SSTORE;
  }

  /** The gas that Besu reports for a call: a 64th more for each nested frame. */
  gasOf({ gasUsed, gasBeforeRefund = gasUsed }: EvmResult, fork: Fork): bigint {
    const left = this.#stores ? BigInt(rulesOf(fork).storeReserve) : 0n;
    return BigInt(Math.trunc(Number(gasBeforeRefund + left) * (65 / 64) ** this.#depth));
  }
}
