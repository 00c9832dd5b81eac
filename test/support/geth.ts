import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./program.js";

/** The last geth that produces Clique blocks. */
export const GETH = join(ROOT, "node_modules/.cache/geth/v1.13.15/geth");

/** Whether `npm run geth` must still be run; reports it if so. */
export function isGethMissing(): boolean {
  const isThere = existsSync(GETH);
  if (!isThere) process.stderr.write("geth is not installed: run `npm run geth` (needs Go)\n");
  return !isThere;
}
