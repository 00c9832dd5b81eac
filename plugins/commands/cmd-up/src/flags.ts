import { option } from "@plinth/core";

/** The flag that all commands about a network have; the option before the command means the same. */
export const folderFlag = {
  dataPath: option.path({
    summary:
      "Folder of the network; that of the option before the command, or plinth-network, when left out.",
  }),
};

/** How the file begins that says which process runs a network. */
export const LOCK_FILE = "up.lock";
