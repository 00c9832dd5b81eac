import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { DecodeError, type Logger, messageOf } from "@plinth/core";
import { AbiBook, type Artifact } from "./book.js";
import { type ListedContracts, listContracts } from "./list-contracts.js";

/** Output folders of Foundry and Hardhat. */
export const USUAL_FOLDERS: readonly string[] = ["out", "artifacts"];

/** More files are not the artifacts of one project. */
const MAX_FILES = 20_000;
/** Nor are folders with more entries. */
const MAX_ENTRIES = 100_000;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Minimum interval between two reads of a folder. */
const PAUSE_MS = 2000;
const SKIPPED = new Set(["node_modules", "build-info", "cache"]);

/** ABI files on disk; changed ones are reloaded when something unknown is encountered. */
export class ArtifactFiles {
  readonly book = new AbiBook();
  readonly #paths: readonly string[];
  readonly #log: Pick<Logger, "warn">;
  readonly #read = new Map<string, number>();
  readonly #artifacts = new Set<string>();
  readonly #large = new Set<string>();
  readonly #maxEntries: number;
  #next = 0;
  #refreshing: Promise<void> | undefined;

  constructor(paths: readonly string[], log: Pick<Logger, "warn">, maxEntries = MAX_ENTRIES) {
    this.#paths = paths;
    this.#log = log;
    this.#maxEntries = maxEntries;
  }

  /** Reads new files; one reader at a time, concurrent callers wait for it. */
  async refresh(): Promise<void> {
    if (this.#refreshing === undefined && Date.now() < this.#next) return;
    this.#refreshing ??= this.#readAll().finally(() => {
      this.#next = Date.now() + PAUSE_MS;
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  /** The contracts in the files, as they are now. */
  async listContracts(): Promise<ListedContracts> {
    await this.refresh();
    return listContracts(this.#artifacts);
  }

  async #readAll(): Promise<void> {
    for (const path of this.#paths) {
      const budget = { entries: this.#maxEntries };
      for await (const file of jsonFiles(path, budget)) await this.#add(file);
      if (budget.entries < 0) this.#warnOnce(path);
    }
  }

  #warnOnce(path: string): void {
    if (this.#large.has(path)) return;
    this.#large.add(path);
    this.#log.warn(
      `${path} has more than ${this.#maxEntries} entries: ABI files are read from the first of them; --abi names others`,
    );
  }

  async #add(path: string): Promise<void> {
    try {
      const { mtimeMs, size } = await stat(path);
      if (this.#read.get(path) === mtimeMs || size > MAX_FILE_BYTES) return;
      if (this.#read.size >= MAX_FILES) return;
      this.#read.set(path, mtimeMs);
      const artifact = toArtifact(JSON.parse(await readFile(path, "utf8")), path);
      if (artifact === undefined) return;
      this.book.add(artifact);
      this.#artifacts.add(path);
    } catch (error) {
      // A concurrent compiler removes files and writes them in pieces.
      const isExpected =
        error instanceof DecodeError ||
        error instanceof SyntaxError ||
        error instanceof RangeError ||
        (error instanceof Error && "syscall" in error);
      if (!isExpected) throw error;
      this.#log.warn(`skipped ${path}: ${messageOf(error)}`);
    }
  }
}

/** A plain ABI, or an artifact of Foundry or Hardhat; `undefined` if it is neither. */
function toArtifact(json: unknown, path: string): Artifact | undefined {
  if (Array.isArray(json)) return { name: undefined, abi: json, bytecode: undefined };
  const { abi, bytecode, contractName = basename(path, ".json") } = Object(json);
  if (!Array.isArray(abi)) return undefined;
  const code = typeof bytecode === "string" ? bytecode : Object(bytecode).object;
  return {
    name: String(contractName),
    abi,
    bytecode: typeof code === "string" ? code : undefined,
  };
}

async function* jsonFiles(path: string, budget: { entries: number }): AsyncGenerator<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) yield path;
  if (!found?.isDirectory()) return;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    budget.entries -= 1;
    if (budget.entries < 0) return;
    const child = join(path, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* jsonFiles(child, budget);
    const isArtifact = entry.name.endsWith(".json") && !entry.name.endsWith(".dbg.json");
    if (entry.isFile() && isArtifact) yield child;
  }
}
