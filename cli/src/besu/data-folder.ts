import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Configuration } from "@plinth/core/kernel";
import { coreOptions } from "@plinth/node";

interface UnusedFile {
  readonly name: string;
  readonly reason: string;
  /** Whether the configuration makes a plugin read it anyway. */
  isUsed?(config: Configuration): boolean;
}

/** Files that Besu reads in its data folder, and why this node does not. */
const FILES: readonly UnusedFile[] = [
  {
    name: "static-nodes.json",
    reason: "--p2p-enabled is false, or --static-nodes-file is another file",
    isUsed: (config) => config.get("p2pEnabled") === true && !config.isSet("staticNodesFile"),
  },
  {
    name: "permissions_config.toml",
    reason:
      "neither --permissions-accounts-config-file-enabled nor --permissions-nodes-config-file-enabled is set, or other files are configured",
    isUsed: (config) =>
      (config.get("permissionsAccountsConfigFileEnabled") === true &&
        !config.isSet("permissionsAccountsConfigFile")) ||
      (config.get("permissionsNodesConfigFileEnabled") === true &&
        !config.isSet("permissionsNodesConfigFile")),
  },
  {
    name: "txpool.dump",
    reason: "--tx-pool-enable-save-restore is off",
    isUsed: (config) => config.get("txPoolEnableSaveRestore") === true,
  },
  { name: "jwt.hex", reason: "the engine API is not implemented" },
];

/** One line for each file in the data folder that an operator might believe to be in use. */
export function describeUnusedFiles(config: Configuration): readonly string[] {
  const { dataPath } = config.valuesOf(coreOptions);
  return FILES.filter(
    ({ name, isUsed }) => existsSync(join(dataPath, name)) && isUsed?.(config) !== true,
  ).map(({ name, reason }) => `${join(dataPath, name)} is not used: ${reason}`);
}
