import { option } from "@plinth/core";

/** The flags of `migrate besu`. */
export const flags = {
  to: option.path({ summary: "Folder for the files; it must be empty or missing." }),
  configFile: option.path({ summary: "TOML file of the Besu node, if the folder has several." }),
  genesisFile: option.path({ summary: "Its genesis file, if the folder has several or none." }),
  nodePrivateKeyFile: option.path({ summary: "Its key, if the folder has several or none." }),
};
