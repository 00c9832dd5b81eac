import { appendFile, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Hash, type Logger, messageOf } from "@plinth/core";
import type { FetchedValues, MissingValue } from "@plinth/core/chain";
import { EXTENSION } from "./cache-folder.js";
import { type CachedValue, decodeValue, encodeValue } from "./value-line.js";

/** The block whose values are cached. */
export interface CachedBlock {
  readonly chainId: bigint;
  readonly number: bigint;
  readonly hash: Hash;
}

/** Finds values that were fetched before, and adds others. */
export interface FetchedCache {
  find(values: readonly MissingValue[]): Promise<FetchedValues>;
  add(values: FetchedValues): Promise<void>;
}

/** Writes the end of a file. */
export type Append = (path: string, text: string) => Promise<void>;

/** All of a file is in memory while a fork runs. */
const MAX_BYTES = 256 * 2 ** 20;

/** Without a folder: what is fetched is in the database of the fork only. */
export const NO_CACHE: FetchedCache = {
  find: async () => ({ accounts: [], slots: [] }),
  add: async () => {},
};

/** The file of a block in a cache. */
export function cacheFile(folder: string, { chainId, number, hash }: CachedBlock): string {
  return join(folder, String(chainId), `${number}-${hash}${EXTENSION}`);
}

/**
 * The values of a block that were fetched by any fork of this user.
 *
 * Values of a block never change, so a file only grows: each line is a value with a checksum, and several processes may
 * append to it. A line that was cut off, by a kill or a full disk, is ignored.
 */
export class BlockCache implements FetchedCache {
  readonly #path: string;
  readonly #log: Pick<Logger, "warn">;
  readonly #append: Append;
  readonly #values = new Map<string, CachedValue>();
  #bytes = 0;
  #loaded: Promise<void> | undefined;
  #isOff = false;

  constructor(
    path: string,
    { log, append = appendFile }: { readonly log: Pick<Logger, "warn">; readonly append?: Append },
  ) {
    this.#path = path;
    this.#log = log;
    this.#append = append;
  }

  async find(values: readonly MissingValue[]): Promise<FetchedValues> {
    this.#loaded ??= this.#load();
    await this.#loaded;
    const found = values.map((value) => this.#values.get(keyOf(value)));
    return {
      accounts: found.flatMap((value) => (value?.kind === "account" ? [value.entry] : [])),
      slots: found.flatMap((value) => (value?.kind === "slot" ? [value.entry] : [])),
    };
  }

  async add({ accounts, slots }: FetchedValues): Promise<void> {
    const added: readonly CachedValue[] = [
      ...accounts.map((entry) => ({ kind: "account", entry }) as const),
      ...slots.map((entry) => ({ kind: "slot", entry }) as const),
    ];
    const lines = added.filter(({ entry }) => !this.#values.has(keyOf(entry))).map(encodeValue);
    for (const value of added) this.#values.set(keyOf(value.entry), value);
    // The first line ends what may have been cut off.
    const text = `\n${lines.join("\n")}\n`;
    if (lines.length === 0 || this.#isOff || this.#bytes + text.length > MAX_BYTES) return;
    this.#bytes += text.length;
    try {
      await mkdir(dirname(this.#path), { recursive: true });
      await this.#append(this.#path, text);
    } catch (error) {
      this.#turnOff("written", error);
    }
  }

  async #load(): Promise<void> {
    try {
      await using file = await open(this.#path);
      const { size } = await file.stat();
      this.#bytes = size;
      if (size > MAX_BYTES) return;
      // In parts: all of a large file at once would stop everything else for seconds.
      for await (const line of file.readLines()) {
        const value = decodeValue(line);
        if (value !== undefined) this.#values.set(keyOf(value.entry), value);
      }
    } catch (error) {
      if (Object(error).code !== "ENOENT") this.#turnOff("read", error);
    }
  }

  #turnOff(done: string, error: unknown): void {
    this.#isOff = true;
    this.#log.warn(
      `the cache of fetched values cannot be ${done}, and is not used from here on: ${messageOf(error)}`,
    );
  }
}

function keyOf({ address, slot }: MissingValue): string {
  return `${address} ${slot ?? ""}`;
}
