import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, type Hash, t } from "@plinth/core";
import { decodeChecked, encodeChecked, replaceFile } from "@plinth/core/storage";
import { type HeaderForm, headerForm } from "@plinth/plugin-consensus-dev/api";

const FILE = "fork-data.json";

const form = t.object({
  source: t.text,
  number: t.quantity,
  hash: t.hash,
  headers: headerForm,
});

/** The last block that a chain shares with the data folder it was made from. */
export interface DataRecord {
  readonly source: string;
  readonly number: bigint;
  readonly hash: Hash;
  /** How the network computes the hash of a header. */
  readonly headers: HeaderForm;
}

/** The record in a data folder; `undefined` if there is none. */
export async function findDataRecord(dataPath: string): Promise<DataRecord | undefined> {
  const path = join(dataPath, FILE);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (Object(error).code === "ENOENT") return undefined;
    throw error;
  }
  const content = decodeChecked(text);
  if (content !== undefined) return form.decode(content, FILE);
  throw new ConfigError("FORK_RECORD_DAMAGED", {
    message: `${path} is damaged: it names the block up to which the chain in this folder is of another network`,
    path,
  });
}

/** Writes the record. */
export async function writeDataRecord(dataPath: string, record: DataRecord): Promise<void> {
  const content = form.encode(record) as object;
  await replaceFile(join(dataPath, FILE), encodeChecked(content), { isSynced: true });
}

/** Removes the record, if there is one. */
export async function removeDataRecord(dataPath: string): Promise<void> {
  await rm(join(dataPath, FILE), { force: true });
}
