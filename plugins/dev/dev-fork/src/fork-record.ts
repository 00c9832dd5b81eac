import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, type Hash, t } from "@plinth/core";
import { decodeChecked, encodeChecked, replaceFile } from "@plinth/core/storage";
import { type HeaderForm, headerForm } from "@plinth/plugin-consensus-dev/api";

const FILE = "fork.json";

const form = t.object({
  source: t.text,
  chainId: t.quantity,
  /** That of the fork. */
  ownChainId: t.quantity,
  number: t.quantity,
  hash: t.hash,
  hardfork: t.text,
  headers: headerForm,
  baseFee: t.optional(t.quantity),
  gasLimit: t.quantity,
  isLazy: t.optional(t.boolean),
});

/** The block at which a chain begins, and what its genesis file takes from there. */
export interface ForkRecord {
  /** The origin of the address of the node. */
  readonly source: string;
  /** The chain id of the other network. */
  readonly chainId: bigint;
  readonly ownChainId: bigint;
  readonly number: bigint;
  readonly hash: Hash;
  readonly hardfork: string;
  /** How the network computes the hash of a header. */
  readonly headers: HeaderForm;
  /** Of the block; `undefined` before London. */
  readonly baseFee: bigint | undefined;
  readonly gasLimit: bigint;
  /** Whether values are read from the node when they are needed; otherwise the whole state is here. */
  readonly isLazy: boolean | undefined;
}

/** The record in a data folder; `undefined` if there is none. */
export async function findRecord(dataPath: string): Promise<ForkRecord | undefined> {
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
    message: `${path} is damaged: it names the block at which the chain in this folder begins. --fresh starts another one`,
    path,
  });
}

/** Writes the record. */
export async function writeRecord(dataPath: string, record: ForkRecord): Promise<void> {
  const content = form.encode(record) as object;
  await replaceFile(join(dataPath, FILE), encodeChecked(content), { isSynced: true });
}

/** Removes the record, if there is one. */
export async function removeRecord(dataPath: string): Promise<void> {
  await rm(join(dataPath, FILE), { force: true });
}
