import { ConfigError, toOptionName } from "@plinth/core";
import type { RegisteredEvent } from "@plinth/core/plugin";

/** Why a replica cannot have options, whatever their value or if they are `true`. */
const REFUSED: readonly {
  readonly keys: readonly string[];
  readonly why: string;
}[] = [
  {
    keys: ["minerEnabled", "minerCoinbase"],
    why: "a replica produces no blocks",
  },
  {
    keys: ["nodePrivateKeyFile", "securityModule"],
    why: "a replica has no key",
  },
  {
    keys: [
      "p2pEnabled",
      "discoveryEnabled",
      "bootnodes",
      "staticNodesFile",
      "networkDriver",
      "syncMode",
      "snapsyncServerEnabled",
      "permissionsNodesConfigFileEnabled",
      "permissionsNodesContractEnabled",
    ],
    why: "a replica has no peers",
  },
  {
    keys: ["permissionsAccountsConfigFileEnabled", "permissionsAccountsContractEnabled"],
    why: "its source decides about transactions",
  },
  { keys: ["txPoolEnableSaveRestore"], why: "a replica has no pending transactions" },
  {
    keys: ["revertReasonEnabled"],
    why: "a replica does not run transactions; traces have the reason",
  },
  { keys: ["privacyEnabled"], why: "the stream of changes has no private transactions" },
  { keys: ["forkUrl", "forkData"], why: "a fork has its own blocks" },
];

/** Throws `ConfigError` for an option that contradicts `--follow`; one that is set to `false` does not. */
export function verifyOptions({
  isOptionSet,
  optionValue,
}: Pick<RegisteredEvent, "isOptionSet" | "optionValue">): void {
  for (const { keys, why } of REFUSED) {
    const key = keys.find((each) => isOptionSet(each) && optionValue(each) !== false);
    if (key === undefined) continue;
    const option = toOptionName(key);
    throw new ConfigError("FOLLOW_CONTRADICTED", {
      message: `--${option} and --follow contradict each other: ${why}; leave --${option} out`,
      option,
    });
  }
}
