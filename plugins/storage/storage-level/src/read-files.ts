import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { messageOf } from "@plinth/core";
import type { StoredDamage, StoredItem } from "@plinth/core/storage";
import { decodeFormat, FORMAT_KEY, type FormatRecord } from "./database-format.js";
import { checkManifest, findUsedTables } from "./files/check-folder.js";
import { listLevelFolder, logPath, openParts, tablePath } from "./files/level-folder.js";
import { readRecords } from "./files/record-file.js";
import { type LevelEntry, TableFile, type TableProblem } from "./files/table-file.js";
import { readWriteBatch } from "./files/write-batch.js";
import { CHECKSUM_BYTES, isSealed, splitKey } from "./value-checksum.js";

/** Reads every entry of a database from its files, without LevelDB; see `StorageFiles.read`. */
export async function* readFiles(
  folder: string,
  { part }: { readonly part?: "log" } = {},
): AsyncGenerator<StoredItem> {
  const files = await listLevelFolder(folder);
  const { tables, logs, hasCurrent } = files;
  const open = createOpener(await findFormat(folder));
  if (part !== "log") {
    if (!hasCurrent && tables.length + logs.length > 0) {
      yield { where: "CURRENT", problem: "it is missing" };
    }
    if (hasCurrent) {
      for await (const { file, problem } of checkManifest(files)) {
        yield { where: file, problem };
      }
    }
    const isUsed = await findUsedTables(files);
    for (const number of tables) {
      for await (const item of readTable(tablePath(folder, number))) {
        if (!("problem" in item)) yield open(item);
        else if (isUsed(number)) yield item;
      }
    }
  }
  for (const number of logs) {
    for (const item of readLog(
      basename(logPath("", number)),
      await readFile(logPath(folder, number)),
    )) {
      yield "problem" in item ? item : open(item);
    }
  }
}

async function* readTable(path: string): AsyncGenerator<LevelEntry | StoredDamage> {
  const file = basename(path);
  try {
    await using parts = await openParts(path);
    const table = await TableFile.open(parts.readAt, parts.size);
    for await (const item of table.entries()) {
      yield "problem" in item ? { where: placeOf(file, item), problem: item.problem } : item;
    }
  } catch (error) {
    yield { where: file, problem: messageOf(error) };
  }
}

function* readLog(file: string, bytes: Uint8Array): Generator<LevelEntry | StoredDamage> {
  for (const item of readRecords(bytes)) {
    if ("problem" in item) {
      yield { where: `${file} at byte ${item.offset}`, problem: item.problem };
      continue;
    }
    try {
      yield* readWriteBatch(item.bytes);
    } catch (error) {
      yield { where: `${file} at byte ${item.offset}`, problem: messageOf(error) };
    }
  }
}

/** `000012.ldb at byte 4096, trie-nodes 0x… to trie-nodes 0x…`. */
function placeOf(file: string, { offset, after, upTo }: TableProblem): string {
  const keys = [after, upTo].filter((key) => key !== undefined).map(showKey);
  return `${file} at byte ${offset}, ${keys.join(" to ")}`;
}

function showKey(key: Uint8Array): string {
  const { table, key: rest } = splitKey(key);
  return `${table} ${rest}`;
}

/** Removes the checksum of a value, if the format has one. */
function createOpener(format: FormatRecord | undefined): (entry: LevelEntry) => StoredItem {
  const isComplete = format !== undefined && format.convertedTo === undefined;
  return ({ key, value, sequence }) => {
    const { table } = splitKey(key);
    const rest = key.subarray(table.length + 1);
    if (value === undefined) return { table, key: rest, value, sequence };
    if (isSealed(key, value)) {
      return {
        table,
        key: rest,
        value: value.subarray(0, value.length - CHECKSUM_BYTES),
        sequence,
      };
    }
    if (!isComplete) return { table, key: rest, value, sequence };
    const problem = "the value does not match its checksum";
    return { where: showKey(key), problem };
  };
}

/** The format record has the lowest key, so the first entries of each file are enough. */
async function findFormat(folder: string): Promise<FormatRecord | undefined> {
  const { tables, logs } = await listLevelFolder(folder);
  let newest: LevelEntry | undefined;
  const note = (entry: LevelEntry) => {
    if (Buffer.compare(entry.key, FORMAT_KEY) !== 0) return;
    if (newest === undefined || entry.sequence > newest.sequence) newest = entry;
  };
  for (const number of tables) {
    for await (const item of readTable(tablePath(folder, number))) {
      if ("problem" in item) continue;
      if (Buffer.compare(item.key, FORMAT_KEY) > 0) break;
      note(item);
    }
  }
  for (const number of logs) {
    for (const item of readLog("", await readFile(logPath(folder, number)))) {
      if (!("problem" in item)) note(item);
    }
  }
  return newest?.value && decodeFormat(newest.value);
}
