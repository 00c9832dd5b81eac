import { homedir } from "node:os";
import { join } from "node:path";

/** Of the file of a block. */
export const EXTENSION = ".values";

/** The folder of values that were fetched, for all chains and nodes of a user. */
export function cacheFolder(
  chosen: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { XDG_CACHE_HOME: base } = environment;
  return (
    chosen ??
    join(base !== undefined && base !== "" ? base : join(homedir(), ".cache"), "plinth", "forks")
  );
}
