import { option } from "@plinth/core";

/** The flag shared by all commands for a network; equivalent to the option before the command. */
export const folderFlag = {
  dataPath: option.path({
    summary:
      "Folder of the network; by default that of the option before the command, or plinth-network.",
  }),
};

/** Prefix of the file that records which process runs a network. */
export const LOCK_FILE = "up.lock";
