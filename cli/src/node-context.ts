import { systemClock } from "@plinth/core";
import type { Logs } from "@plinth/core/kernel";
import type { NodeContext } from "@plinth/node";
import type { LoadedProgram } from "./loading/load-program.js";
import { sharesPackages } from "./plugin-source.js";

/** The context a node of this program is registered with. */
export function nodeContext(
  { modules, genesis }: Pick<LoadedProgram, "modules" | "genesis">,
  logs: Logs,
): NodeContext {
  // Module hooks run on their own thread, and make a thread start twice as slowly.
  const preload = new URL("./share-in-threads.js", import.meta.url).href;
  const threads = { modules, ...(sharesPackages() ? { preload } : {}) };
  const parsedGenesis = (path: string) => genesis.take(path);
  return { logs, clock: systemClock, threads, parsedGenesis };
}
