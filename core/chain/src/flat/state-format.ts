import { StorageError } from "@plinth/core";
import type { Table } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";

/** How states are stored: flat with history, or all tries. */
export const STATE_FORMATS = ["BONSAI", "FOREST"] as const;

/** The name of a layout of states. */
export type StateFormat = (typeof STATE_FORMATS)[number];

const KEY = Buffer.from("state-format");
const HEAD = Buffer.from("head");

/** The layout of a database; `undefined` while it has no block. */
export function readFormat(source: { table(name: string): Table }): StateFormat | undefined {
  const chain = source.table(TABLES.chain);
  const bytes = chain.getSync(KEY);
  if (bytes === undefined) return chain.getSync(HEAD) === undefined ? undefined : "FOREST";
  const name = Buffer.from(bytes).toString("latin1");
  const format = STATE_FORMATS.find((known) => known === name);
  if (format !== undefined) return format;
  throw new StorageError("STORAGE_FORMAT", {
    message: `the database stores states in the format ${JSON.stringify(name)}, but this program supports ${STATE_FORMATS.join(" and ")}; run the program that wrote it, or choose another --data-path`,
  });
}

/** The entry of the table `chain` with the layout of a new database. */
export function formatEntry(format: StateFormat): readonly [key: Uint8Array, value: Uint8Array] {
  return [KEY, Buffer.from(format)];
}
