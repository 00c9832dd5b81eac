import type { Mining } from "../consensus/engine.js";
import type { Address } from "../primitives/hex.js";

/** What the operator says about making blocks; it may be changed while the node runs. */
export class MiningSettings implements Mining {
  readonly isEnabled: boolean;
  /** Who is paid, where the operator decides. */
  coinbase: Address | undefined;
  /** Whether the operator decides, and not the engine. */
  isChosen = false;

  constructor({ isEnabled, coinbase }: Mining) {
    this.isEnabled = isEnabled;
    this.coinbase = coinbase;
  }
}
