import type { Mining } from "../consensus/engine.js";
import type { MiningSettings } from "../consensus/production.js";
import { ConfigError } from "../kernel/errors.js";
import type { OptionValues } from "../kernel/options.js";
import type { Address } from "../primitives/hex.js";
import type { coreOptions } from "./options.js";

/** What the operator says about making blocks, from options and from calls. */
export class OperatorMining implements MiningSettings {
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

/** What the options say about making blocks. */
export function readMining({
  minerEnabled,
  minerCoinbase,
}: OptionValues<typeof coreOptions>): OperatorMining {
  if (minerEnabled && minerCoinbase === undefined) {
    throw new ConfigError("MINER_COINBASE_MISSING", {
      message:
        "Unable to mine without a valid coinbase. Either disable mining (remove --miner-enabled) or specify the beneficiary of mining (via --miner-coinbase <Address>)",
      option: "miner-coinbase",
    });
  }
  return new OperatorMining({ isEnabled: minerEnabled, coinbase: minerCoinbase });
}
