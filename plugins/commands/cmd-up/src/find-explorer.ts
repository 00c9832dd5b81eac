import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NetworkFolder } from "./folder.js";

/** The address of the explorer, if a node of the network has it. */
export async function findExplorer({ path, network }: NetworkFolder): Promise<string | undefined> {
  for (const { name, rpcPort } of network.nodes) {
    const config = await readFile(join(path, name, "plinth.toml"), "utf8");
    if (/^explorer-enabled = true$/m.test(config)) return `http://127.0.0.1:${rpcPort}/explorer`;
  }
  return undefined;
}
