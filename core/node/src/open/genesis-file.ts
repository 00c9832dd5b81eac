import { createHash } from "node:crypto";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { scanMembers } from "@plinth/chain";
import { messageOf } from "@plinth/core";
import { type AllocInFile, genesisError } from "@plinth/core/genesis";
import { findScan, isSettled, type ScannedGenesis, versionOf } from "./scanned-genesis.js";

/** The accounts of larger files stay in the file. */
const MAX_BYTES_IN_MEMORY = 4 * 1024 * 1024;
const OPENING = 0x7b;

/** The content of a genesis file. */
export interface GenesisContent {
  /** Without `alloc` if its accounts stay in the file. */
  readonly json: unknown;
  readonly alloc: AllocInFile | undefined;
  /** Of a large file that did not change just now: what later starts need not search for again. */
  readonly scan?: ScannedGenesis;
}

/**
 * Reads a genesis file; an error names the file.
 *
 * A large file is not read again if the data folder has a record of this version of it.
 */
export async function readGenesisFile(
  path: string,
  { maxBytes = MAX_BYTES_IN_MEMORY, dataPath }: GenesisFileSettings = {},
): Promise<GenesisContent> {
  try {
    await using file = await open(path);
    const stat = await file.stat({ bigint: true });
    if (stat.size > maxBytes) {
      const version = versionOf(path, stat);
      const known = dataPath === undefined ? undefined : await findScan(dataPath, version);
      const scan = known ?? { ...(await readLargeFile(file, path)), version };
      return { json: scan.json, alloc: scan.alloc, ...(isSettled(stat) && { scan }) };
    }
    return { json: JSON.parse(await readFile(file, "utf8")), alloc: undefined };
  } catch (error) {
    const problem = error instanceof SyntaxError ? "not JSON: " : "";
    throw genesisError(path, `${problem}${messageOf(error)}`, error);
  }
}

interface GenesisFileSettings {
  readonly maxBytes?: number;
  readonly dataPath?: string | undefined;
}

async function readLargeFile(file: FileHandle, path: string): Promise<GenesisContent> {
  const { size, mtimeMs: changedAt } = await file.stat();
  const hash = createHash("sha256");
  /** The last of several with one name counts, like in `JSON.parse`. */
  const members = new Map<string, unknown>();
  const skipped = new Map<string, Pick<AllocInFile, "offset" | "length">>();
  await scanMembers(file, {
    offset: 0,
    end: size,
    skips: (key, first) => isAlloc(key) && first === OPENING,
    read: (bytes) => hash.update(bytes),
    found({ key, text, offset, length }) {
      members.set(key, text === undefined ? undefined : JSON.parse(text));
      skipped.delete(key);
      if (text === undefined) skipped.set(key, { offset, length });
    },
  });
  // In any case, the last of several: the rule of `findMember`.
  const place = skipped.get([...members.keys()].findLast(isAlloc) ?? "");
  const json = Object.fromEntries([...members].filter(([key]) => !skipped.has(key)));
  const sha256 = hash.digest("hex");
  return { json, alloc: place && { path, ...place, sha256, changedAt } };
}

function isAlloc(key: string): boolean {
  return key.toLowerCase() === "alloc";
}
