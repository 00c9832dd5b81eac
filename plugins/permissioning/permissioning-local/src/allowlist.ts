import type { Logger } from "@plinth/core";
import type { Mutex } from "@plinth/core/async";
import { AllowlistError, NOT_PERSISTED, OUT_OF_SYNC } from "./allowlist-error.js";
import { type FileList, type ListKeys, readList, refused, writeToml } from "./allowlist-file.js";
import { changeArray, type TomlArray } from "./toml-array.js";

/** The differences between accounts and nodes. */
export interface ListRules {
  readonly keys: ListKeys;
  /** Error messages. */
  readonly texts: {
    readonly empty: string;
    readonly existing: string;
    readonly absent: string;
  };
  /** The canonical form of an entry; rejects if it is invalid. */
  canonical(text: string): Promise<string>;
  /**
   * Throws `AllowlistError` unless the entries of a request are valid and distinct, checked in
   * Besu's order.
   */
  verifyRequest(texts: readonly string[]): Promise<readonly string[]>;
  /** Throws `AllowlistError` for entries that must stay. */
  verifyRemoval(entries: readonly string[]): void;
  /** Whether a file may contain duplicates. */
  readonly allowsRepeats: boolean;
}

/** The difference to the previous list. */
export interface Change {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The file of a list, and its change listener. */
export interface AllowlistContext {
  readonly path: string;
  readonly log: Logger;
  /** Serializes changes, including those of other lists. */
  readonly mutex: Mutex;
  /** Called with the changes; with nothing if everything may have changed. */
  changed(change: Change | undefined): void;
}

/** A list that is ready to replace the current one. */
export interface PreparedList {
  readonly entries: ReadonlySet<string>;
  /** The text between the brackets, as long as it is equivalent; `undefined` if it is not. */
  readonly written: string | undefined;
}

/** A list as in the file. */
interface WrittenList {
  readonly written: string;
  /** Number of entries. */
  readonly count: number;
}

/**
 * An allowlist, in memory and in a file. Changes are written to the file before they take effect.
 */
export class Allowlist {
  readonly path: string;
  readonly #rules: ListRules;
  readonly #log: Logger;
  readonly #changed: (change: Change | undefined) => void;
  #entries: ReadonlySet<string> = new Set();
  #written: string | undefined;
  readonly #mutex: Mutex;

  constructor(rules: ListRules, { path, log, mutex, changed }: AllowlistContext) {
    this.path = path;
    this.#rules = rules;
    this.#log = log;
    this.#mutex = mutex;
    this.#changed = changed;
  }

  /** In the order in which they were added. */
  list(): readonly string[] {
    return [...this.#entries];
  }

  has(entry: string): boolean {
    return this.#entries.has(entry);
  }

  /** Reads the file; rejects with `ConfigError` if a node cannot start with it. */
  async prepare(): Promise<PreparedList> {
    const { keys, allowsRepeats } = this.#rules;
    const { toml, array, isOld } = await readList(this.path, keys);
    if (isOld) this.#log.warn(`${this.path}: ${keys.old} is a deprecated name of ${keys.name}`);
    const entries = new Set<string>();
    for (const { text } of array.items) {
      const entry = await this.#rules.canonical(text);
      if (entries.has(entry) && !allowsRepeats) {
        throw refused(`${keys.name} in ${this.path} has a duplicated entry: ${text}`);
      }
      entries.add(entry);
    }
    const isSame = entries.size === array.items.length;
    return { entries, written: isSame ? toml.slice(array.start, array.end) : undefined };
  }

  /** Puts a list into force; `change` is the difference, omitted if everything may have changed. */
  use({ entries, written }: PreparedList, change?: Change): void {
    this.#entries = entries;
    this.#written = written;
    this.#changed(change);
  }

  /** Adds all of them, or none; rejects with `AllowlistError`. */
  add(texts: readonly string[]): Promise<void> {
    return this.#mutex.run(async () => {
      const added = await this.#verify(texts);
      if (added.some((entry) => this.#entries.has(entry))) this.#refuse("existing");
      await this.#change(new Set([...this.#entries, ...added]), { added, removed: [] });
    });
  }

  /** Removes all of them, or none; rejects with `AllowlistError`. */
  remove(texts: readonly string[]): Promise<void> {
    return this.#mutex.run(async () => {
      const removed = await this.#verify(texts);
      this.#rules.verifyRemoval(removed);
      if (!removed.every((entry) => this.#entries.has(entry))) this.#refuse("absent");
      const left = new Set(this.#entries);
      for (const entry of removed) left.delete(entry);
      await this.#change(left, { added: [], removed });
    });
  }

  async #verify(texts: readonly string[]): Promise<readonly string[]> {
    if (texts.length === 0) this.#refuse("empty");
    return this.#rules.verifyRequest(texts);
  }

  async #change(entries: ReadonlySet<string>, change: Change): Promise<void> {
    const list = await this.#persist(change);
    // The file may have entries that an operator added by hand and that are not in force.
    const written = list?.count === entries.size ? list.written : undefined;
    this.use({ entries, written }, change);
    if (list === undefined) throw new AllowlistError(OUT_OF_SYNC);
  }

  /** Writes a change; `undefined` if the file lacks entries in force and was left alone. */
  async #persist(change: Change): Promise<WrittenList | undefined> {
    try {
      const file = await readList(this.path, this.#rules.keys);
      const toml = await this.#edit(file, change);
      if (toml === undefined) return undefined;
      await writeToml(this.path, toml);
      const { start, end, items } = file.array;
      return {
        written: toml.slice(start, end + toml.length - file.toml.length),
        count: items.length + change.added.length - change.removed.length,
      };
    } catch (error) {
      this.#log.warn(`${this.path} was not changed`, { error });
      throw new AllowlistError(NOT_PERSISTED, error);
    }
  }

  async #edit({ toml, array }: FileList, change: Change): Promise<string | undefined> {
    const inFile = await this.#entriesOf(toml, array);
    if (inFile === undefined) return undefined;
    const gone = new Set(change.removed);
    const items = array.items.filter((_, index) => gone.has(inFile[index] ?? ""));
    return changeArray(toml, array, { removed: new Set(items), added: change.added });
  }

  /** The entries of a file; `undefined` if it lacks some that are in force. */
  async #entriesOf(toml: string, array: TomlArray): Promise<readonly string[] | undefined> {
    if (toml.slice(array.start, array.end) === this.#written) return this.list();
    const found = await Promise.all(array.items.map(({ text }) => this.#rules.canonical(text)));
    const known = new Set(found);
    return this.list().every((entry) => known.has(entry)) ? found : undefined;
  }

  #refuse(reason: keyof ListRules["texts"]): never {
    throw new AllowlistError(this.#rules.texts[reason]);
  }
}
