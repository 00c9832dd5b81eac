import type { Address, OptionValues } from "@plinth/core";
import { ConfigError } from "@plinth/core";
import type { Mining, MiningSettings } from "@plinth/core/consensus";
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
