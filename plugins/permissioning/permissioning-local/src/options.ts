import { option } from "@plinth/core";

/** Which lists are in force, and their files. */
export const options = {
  permissionsAccountsConfigFileEnabled: option.flag({
    summary: "Accepts transactions only from accounts listed in a file.",
    default: false,
  }),
  permissionsAccountsConfigFile: option.path({
    summary: "File with the accounts; by default permissions_config.toml in the data folder.",
    needs: "permissionsAccountsConfigFileEnabled",
  }),
  permissionsNodesConfigFileEnabled: option.flag({
    summary: "Connects only to nodes listed in a file.",
    default: false,
  }),
  permissionsNodesConfigFile: option.path({
    summary: "File with the nodes; by default permissions_config.toml in the data folder.",
    needs: "permissionsNodesConfigFileEnabled",
  }),
};
