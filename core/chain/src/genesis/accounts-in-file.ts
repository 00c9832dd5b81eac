import { readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type Address, type ConfigError, keccak256, messageOf, withoutPrefix } from "@plinth/core";
import { type AllocInFile, genesisError } from "@plinth/core/genesis";
import { bytesOf } from "../state/state-values.js";
import {
  allocError,
  entriesOfAlloc,
  type GenesisAccount,
  mergeAccounts,
  readAccount,
} from "./alloc.js";
import { AllocIndex, type AllocPlace } from "./alloc-index.js";
import type { GenesisAccounts, KeyedAccount } from "./genesis-accounts.js";
import type { GenesisProgress } from "./genesis-progress.js";
import { scanMembers } from "./scan-members.js";

const ADDRESS_DIGITS = 40;
/** Findings about more names than this help no reader. */
const MAX_NAMES = 100;
const INITIAL_BYTES = 4096;

/** The sources of the accounts. */
export interface AllocSources {
  readonly alloc: AllocInFile;
  /** Accounts that plugins added; one of the file with the same name replaces them. */
  readonly added: unknown;
  readonly origin: string;
  readonly progress?: GenesisProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The accounts of a large genesis file.
 *
 * They are validated in the order of the file and then read again one by one: memory holds only
 * their keys and places.
 */
export class AccountsInFile implements GenesisAccounts {
  readonly #file: FileHandle;
  readonly #sources: AllocSources;
  readonly #added: readonly [string, unknown][];
  readonly #index = new AllocIndex();
  readonly #short: string[] = [];
  #repeated: readonly string[] | undefined;
  #buffer = Buffer.alloc(INITIAL_BYTES);
  hasFunds = false;

  private constructor(file: FileHandle, sources: AllocSources) {
    this.#file = file;
    this.#sources = sources;
    this.#added = entriesOfAlloc(sources.added, sources.origin);
  }

  /** Throws a `ConfigError` that names the first invalid account. */
  static async open(sources: AllocSources): Promise<AccountsInFile> {
    const file = await openFile(sources);
    try {
      const accounts = new AccountsInFile(file, sources);
      await accounts.#read();
      return accounts;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get count(): number {
    return this.#index.count;
  }

  get names(): readonly string[] {
    this.#repeated ??= this.#findRepeated();
    return [...new Set([...this.#repeated, ...this.#short])];
  }

  get(address: Address): GenesisAccount | undefined {
    const places = this.#index.find(keccak256(bytesOf(address)));
    return places.length === 0 ? undefined : this.#readAccount(places);
  }

  *sorted(): Generator<KeyedAccount> {
    for (const { key, places } of this.#index.sorted()) {
      yield { key, account: this.#readAccount(places) };
    }
  }

  /** Throws if the file was changed since it was opened. */
  async verifyUnchanged(): Promise<void> {
    await verifyUnchanged(this.#file, this.#sources);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #read(): Promise<void> {
    const { alloc, origin, progress, signal } = this.#sources;
    for (const [at, [name, value]] of this.#added.entries()) {
      this.#add(readAccount(name, value, origin), name, { offset: at, length: 0 });
    }
    const end = alloc.offset + alloc.length;
    try {
      await scanMembers(this.#file, {
        offset: alloc.offset,
        end,
        found: ({ key, start, offset, length, text = "" }) => {
          signal?.throwIfAborted();
          const account = readAccount(key, parseValue(key, text, origin), origin);
          this.#add(account, key, { offset: start, length: offset + length - start });
          progress?.reading((start - alloc.offset) / alloc.length);
        },
      });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw allocError(origin, "alloc", `is not JSON: ${messageOf(error)}`);
    }
    await this.verifyUnchanged();
  }

  #add(account: GenesisAccount, name: string, place: AllocPlace): void {
    this.#index.add(keccak256(bytesOf(account.address)), place);
    this.hasFunds ||= account.balance > 0n;
    const isShort = withoutPrefix(name).length < ADDRESS_DIGITS;
    if (isShort && this.#short.length < MAX_NAMES) this.#short.push(name);
  }

  #findRepeated(): readonly string[] {
    const found: string[] = [];
    for (const { places } of this.#index.sorted()) {
      if (places.length > 1) found.push(...this.#readNamed(places).map(([name]) => name));
      if (found.length >= MAX_NAMES) break;
    }
    return found;
  }

  #readAccount(places: readonly AllocPlace[]): GenesisAccount {
    const { origin } = this.#sources;
    return mergeAccounts(
      this.#readNamed(places).map(([name, value]) => readAccount(name, value, origin)),
    );
  }

  /** The accounts of one address, one for each spelling, in the order of `JSON.parse`. */
  #readNamed(places: readonly AllocPlace[]): readonly [string, unknown][] {
    const members = places.map((place) => this.#readMember(place));
    return members.length === 1 ? members : Object.entries(Object.fromEntries(members));
  }

  #readMember({ offset, length }: AllocPlace): [string, unknown] {
    if (length === 0) return this.#added[offset] as [string, unknown];
    if (length > this.#buffer.length) this.#buffer = Buffer.alloc(2 * length);
    const bytesRead = readSync(this.#file.fd, this.#buffer, 0, length, offset);
    if (bytesRead < length) throw changed(this.#sources.origin);
    try {
      const text = this.#buffer.toString("utf8", 0, length);
      return Object.entries(JSON.parse(`{${text}}`))[0] as [string, unknown];
    } catch (error) {
      throw error instanceof SyntaxError ? changed(this.#sources.origin) : error;
    }
  }
}

async function openFile(sources: AllocSources): Promise<FileHandle> {
  const { alloc, origin } = sources;
  let file: FileHandle;
  try {
    file = await open(alloc.path);
  } catch (error) {
    throw allocError(origin, "alloc", `cannot be read: ${messageOf(error)}`);
  }
  try {
    await verifyUnchanged(file, sources);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function verifyUnchanged(file: FileHandle, { alloc, origin }: AllocSources): Promise<void> {
  const { mtimeMs, size } = await file.stat();
  if (mtimeMs !== alloc.changedAt || size < alloc.offset + alloc.length) throw changed(origin);
}

function parseValue(name: string, text: string, origin: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw allocError(origin, `alloc.${name}`, `is not JSON: ${messageOf(error)}`);
  }
}

function changed(origin: string): ConfigError {
  return genesisError(origin, "the file was changed while it was read; start again");
}
