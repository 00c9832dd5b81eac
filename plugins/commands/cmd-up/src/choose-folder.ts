import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CommandContext, Options } from "@plinth/core";
import { NETWORK_FILE } from "@plinth/plugin-cmd-genesis/api";

/** Beside the data of a single node, which has a separate folder. */
const USUAL_FOLDER = "plinth-network";

/**
 * The folder of the network: that of the flag, of the option before the command, or the default.
 */
export function chooseFolder(
  flag: string | undefined,
  { dataPath, isDataPathSet }: Pick<CommandContext<Options>, "dataPath" | "isDataPathSet">,
): string {
  if (flag !== undefined || isDataPathSet) return resolve(flag ?? dataPath);
  // Networks used to be created where a single node keeps its data.
  const isThere = existsSync(join(dataPath, NETWORK_FILE));
  return resolve(isThere ? dataPath : USUAL_FOLDER);
}
