import type { Address, OptionValues } from "@plinth/core";
import { ConfigError } from "@plinth/core";
import type { Mining, MiningSettings } from "@plinth/core/consensus";
import type { coreOptions } from "./options.js";

/** The settings of block production, from options and from calls. */
export class OperatorMining implements MiningSettings {
  readonly isEnabled: boolean;
  /** The fee recipient, if the operator decides it. */
  coinbase: Address | undefined;
  /** Whether the operator, not the engine, decides it. */
  isChosen = false;

  constructor({ isEnabled, coinbase }: Mining) {
    this.isEnabled = isEnabled;
    this.coinbase = coinbase;
  }
}

/** The options of block production. */
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
