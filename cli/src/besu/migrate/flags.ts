import { option } from "@plinth/core";

/** The flags of `migrate besu`. */
export const flags = {
  to: option.path({ summary: "Folder for the files; it must be empty or missing." }),
  configFile: option.path({ summary: "TOML file of the Besu node, where the folder has several." }),
  genesisFile: option.path({ summary: "Its genesis file, where the folder has several or none." }),
  nodePrivateKeyFile: option.path({ summary: "Its key, where the folder has several or none." }),
};
