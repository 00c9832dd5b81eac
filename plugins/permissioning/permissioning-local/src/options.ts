import { option } from "@plinth/core";

/** Which lists are in force, and where they are. */
export const options = {
  permissionsAccountsConfigFileEnabled: option.flag({
    summary: "Takes transactions only from accounts that a file lists.",
    default: false,
  }),
  permissionsAccountsConfigFile: option.path({
    summary: "File with the accounts; permissions_config.toml in the data folder when left out.",
    needs: "permissionsAccountsConfigFileEnabled",
  }),
  permissionsNodesConfigFileEnabled: option.flag({
    summary: "Connects only with nodes that a file lists.",
    default: false,
  }),
  permissionsNodesConfigFile: option.path({
    summary: "File with the nodes; permissions_config.toml in the data folder when left out.",
    needs: "permissionsNodesConfigFileEnabled",
  }),
};
