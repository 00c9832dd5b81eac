import type { Logger } from "@plinth/core";
import { AllowlistError, NOT_PERSISTED, OUT_OF_SYNC } from "./allowlist-error.js";
import { type ListKeys, readList, refused, writeToml } from "./allowlist-file.js";
import { changeArray, findArray } from "./toml-array.js";

/** What differs between accounts and nodes. */
export interface ListRules {
  readonly keys: ListKeys;
  /** The texts of errors. */
  readonly texts: {
    readonly empty: string;
    readonly invalid: string;
    readonly duplicate: string;
    readonly existing: string;
    readonly absent: string;
  };
  /** The form in which an entry is kept, shown and compared; rejects with what is wrong with it. */
  canonical(text: string): Promise<string>;
  /** Throws `AllowlistError` unless the entries of a request are valid and different, in the order of Besu. */
  verifyRequest(texts: readonly string[]): Promise<readonly string[]>;
  /** Throws `AllowlistError` for entries that must stay. */
  verifyRemoval(entries: readonly string[]): void;
  /** Whether a file may name an entry twice. */
  readonly allowsRepeats: boolean;
}

/** A list that is ready to take the place of the one in force. */
export interface PreparedList {
  readonly entries: ReadonlySet<string>;
  readonly toml: string;
}

/** A list of who is allowed, in memory and in a file. Changes are in the file before they are in force. */
export class Allowlist {
  readonly path: string;
  readonly #rules: ListRules;
  readonly #log: Logger;
  readonly #changed: () => void;
  #entries: ReadonlySet<string> = new Set();
  /** The file as it was when it and the list were the same. */
  #toml = "";
  /** Changes wait for each other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    rules: ListRules,
    { path, log, changed }: { readonly path: string; readonly log: Logger; changed(): void },
  ) {
    this.path = path;
    this.#rules = rules;
    this.#log = log;
    this.#changed = changed;
  }

  /** In the order in which they were added. */
  list(): readonly string[] {
    return [...this.#entries];
  }

  has(entry: string): boolean {
    return this.#entries.has(entry);
  }

  /** Reads the file; rejects with `ConfigError` when a node cannot start with it. */
  async prepare(): Promise<PreparedList> {
    const { keys, allowsRepeats } = this.#rules;
    const { toml, texts, isOld } = await readList(this.path, keys);
    if (isOld) this.#log.warn(`${this.path}: ${keys.old} is an old name of ${keys.name}`);
    const entries = new Set<string>();
    for (const text of texts) {
      const entry = await this.#rules.canonical(text);
      if (entries.has(entry) && !allowsRepeats) {
        throw refused(`${keys.name} in ${this.path} has a duplicated entry: ${text}`);
      }
      entries.add(entry);
    }
    return { entries, toml: entries.size === texts.length ? toml : "" };
  }

  /** Puts a list into force. */
  use({ entries, toml }: PreparedList): void {
    this.#entries = entries;
    this.#toml = toml;
    this.#changed();
  }

  /** Adds all of them, or none; rejects with `AllowlistError`. */
  add(texts: readonly string[]): Promise<void> {
    return this.#inTurn(async () => {
      const added = await this.#verify(texts);
      if (added.some((entry) => this.#entries.has(entry))) this.#refuse("existing");
      await this.#change(new Set([...this.#entries, ...added]), { added, removed: [] });
    });
  }

  /** Removes all of them, or none; rejects with `AllowlistError`. */
  remove(texts: readonly string[]): Promise<void> {
    return this.#inTurn(async () => {
      const removed = await this.#verify(texts);
      this.#rules.verifyRemoval(removed);
      if (!removed.every((entry) => this.#entries.has(entry))) this.#refuse("absent");
      const left = new Set(this.#entries);
      for (const entry of removed) left.delete(entry);
      await this.#change(left, { added: [], removed });
    });
  }

  /** Runs after all changes that were asked for before, and before those after it. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(work);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #verify(texts: readonly string[]): Promise<readonly string[]> {
    if (texts.length === 0) this.#refuse("empty");
    return this.#rules.verifyRequest(texts);
  }

  async #change(entries: ReadonlySet<string>, change: Change): Promise<void> {
    const toml = await this.#persist(change);
    this.use({ entries, toml: toml ?? "" });
    if (toml === undefined) throw new AllowlistError(OUT_OF_SYNC);
  }

  /** Writes a change; answers the file, or `undefined` when it lacks what is in force and was left alone. */
  async #persist(change: Change): Promise<string | undefined> {
    try {
      const { toml } = await readList(this.path, this.#rules.keys);
      const changed = await this.#edit(toml, change);
      if (changed !== undefined) await writeToml(this.path, changed);
      return changed;
    } catch (error) {
      this.#log.warn(`${this.path} was not changed`, { error });
      throw new AllowlistError(NOT_PERSISTED, error);
    }
  }

  async #edit(toml: string, { added, removed }: Change): Promise<string | undefined> {
    const { name, old } = this.#rules.keys;
    const array = findArray(toml, [name, old]);
    if (array === undefined) throw refused(`${name} is missing in ${this.path}`);
    const inFile = await this.#entriesOf(toml, array.items);
    if (inFile === undefined) return undefined;
    const gone = new Set(removed);
    const items = array.items.filter((_, index) => gone.has(inFile[index] ?? ""));
    return changeArray(toml, array, { removed: new Set(items), added });
  }

  /** The entries of a file; `undefined` when it lacks some that are in force. */
  async #entriesOf(
    toml: string,
    items: readonly { readonly text: string }[],
  ): Promise<readonly string[] | undefined> {
    if (toml === this.#toml) return [...this.#entries];
    const found = await Promise.all(items.map(({ text }) => this.#rules.canonical(text)));
    const known = new Set(found);
    return this.list().every((entry) => known.has(entry)) ? found : undefined;
  }

  #refuse(reason: keyof ListRules["texts"]): never {
    throw new AllowlistError(this.#rules.texts[reason]);
  }
}

interface Change {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}
