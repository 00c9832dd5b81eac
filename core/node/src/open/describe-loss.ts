import type { StorageDriver } from "@plinth/core";
import type { MarkedHead } from "@plinth/core/chain";
import { type StoragePlace, TABLES } from "@plinth/core/storage";

/**
 * Describes which blocks a damaged write-ahead log loses, for the message of a failed start.
 *
 * The log contains the latest commits in order: blocks before the first damaged location can be
 * read, later ones cannot be relied on. Empty if the log is intact.
 */
export async function describeLoss(
  driver: StorageDriver,
  place: StoragePlace,
  marked: MarkedHead | undefined,
): Promise<string> {
  if (driver.files === undefined) return "";
  let last: bigint | undefined;
  for await (const item of driver.files.read({ ...place, part: "log" })) {
    if ("problem" in item) return describe(last, marked);
    if (item.table === TABLES.canonical && item.value !== undefined) {
      last = Buffer.from(item.key).readBigUInt64BE();
    }
  }
  return marked === undefined ? "" : ` The database had reached block ${marked.number}.`;
}

function describe(last: bigint | undefined, marked: MarkedHead | undefined): string {
  const from = last === undefined ? "the first block of the damaged log" : `block ${last + 1n}`;
  const end = marked === undefined ? "" : `; the database had reached block ${marked.number}`;
  return ` Blocks from ${from} on are lost or incomplete${end}.`;
}
