import { homedir } from "node:os";
import { join } from "node:path";
import { undoKilled } from "./plugin-home-changes.js";
import type { Environment } from "./sources.js";

/** The folder of `plinth plugins install`; leftovers of a killed installation are reverted. */
export function pluginHome(environment: Environment): string {
  const home = findHome(environment);
  undoKilled(home);
  return home;
}

function findHome(environment: Environment): string {
  const own = environment.PLINTH_PLUGINS_HOME;
  if (own !== undefined && own !== "") return own;
  const shared = environment.XDG_DATA_HOME;
  const base = shared === undefined || shared === "" ? join(homedir(), ".local", "share") : shared;
  return join(base, "plinth");
}
