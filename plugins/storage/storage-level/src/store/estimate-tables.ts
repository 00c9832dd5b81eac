import type { Level } from "./level.js";
import { endOf } from "./table-keys.js";

/** The first key of any table: no table has an empty name. */
const FIRST_KEY = Uint8Array.of(1);

/**
 * Estimates the bytes of each table from the positions of its first and last key in the files;
 * what is only in the log does not count.
 *
 * Reads one key per table to find its name, and the indexes of the files at its two ends.
 */
export async function estimateTables(level: Level): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  let from: Uint8Array = FIRST_KEY;
  for (;;) {
    const [key] = await level.keys({ gte: from, limit: 1 }).all();
    if (key === undefined) return sizes;
    const prefix = key.subarray(0, key.indexOf(0) + 1);
    const name = new TextDecoder().decode(prefix.subarray(0, -1));
    const end = endOf(prefix);
    sizes.set(name, await level.approximateSize(prefix, end));
    from = end;
  }
}
