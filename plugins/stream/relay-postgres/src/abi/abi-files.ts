import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { ConfigError, messageOf, parseJson, t } from "@plinth/core";
import { EventBook } from "./event-book.js";

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The used parts of a compiler artifact. */
const artifact = t.object({ abi: t.array(t.json), contractName: t.optional(t.text) });

/** Reads the events of ABI files: lists of entries, or artifacts of Foundry, Hardhat or Truffle. */
export async function readEvents(paths: readonly string[]): Promise<EventBook> {
  const book = new EventBook();
  for (const path of paths) {
    try {
      await addFile(book, path);
    } catch (cause) {
      throw new ConfigError("RELAY_ABI_INVALID", {
        message: `--relay-postgres-abi-files: ${path}: ${messageOf(cause)}`,
        cause,
      });
    }
  }
  return book;
}

async function addFile(book: EventBook, path: string): Promise<void> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES)
    throw new RangeError(`it has ${size} bytes, at most ${MAX_FILE_BYTES}`);
  const json = parseJson(await readFile(path, "utf8"));
  const name = basename(path).replace(/\.json$/, "");
  if (Array.isArray(json)) return book.add(name, json);
  const { abi, contractName } = artifact.decode(json);
  book.add(contractName ?? name, abi);
}
