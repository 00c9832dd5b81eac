import type { Table } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import type { HeadMove, UnneededEntry } from "../../state/state-layout.js";
import { type FlatSettings, firstWithChanges } from "../flat-settings.js";
import {
  accountOfPrefix,
  incarnationOfPrefix,
  keyOfHistory,
  numberOf,
  prefixOfNode,
  prefixOfSlot,
  storagePrefix,
  versionOfHistory,
} from "../keys.js";
import { decodeRecord } from "../record.js";
import { FlatValues } from "../values.js";
import { firstKept } from "./kept-history.js";

/** The blocks from which on something can be needed. */
interface Limits {
  /** Values. */
  readonly first: number;
  /** Tries. */
  readonly firstTries: number;
  /** The changes of blocks. */
  readonly firstChanges: number;
}

/** Whether an entry is needed. */
type IsNeeded = (key: Uint8Array, value: Uint8Array, limits: Limits) => boolean | Promise<boolean>;

/** Blocks between two pieces, and entries that are read for one: about a millisecond. */
const BLOCKS_BETWEEN = 16;
const ENTRIES_AT_ONCE = 256;

/**
 * Finds what no kept state needs, and what the pruner does not know of: storage that was cleared, removed accounts,
 * blocks off the canonical chain, and what was written before the operator lowered an option.
 *
 * It walks through the tables in pieces, again and again, from a random place on.
 */
export class HistorySweeper {
  readonly #settings: FlatSettings;
  readonly #values: FlatValues;
  readonly #chain: Table;
  readonly #tables: readonly (readonly [table: string, isNeeded: IsNeeded])[];
  #table = 0;
  /** The account that was read last, for this piece. */
  #last: { account: Uint8Array; block: number; incarnation: number } | undefined;
  #from: Uint8Array = crypto.getRandomValues(new Uint8Array(32));

  constructor(settings: FlatSettings) {
    const { store, history } = settings;
    this.#settings = settings;
    this.#values = new FlatValues(store);
    this.#chain = store.table(TABLES.chain);
    const always: readonly (readonly [string, IsNeeded])[] = [
      [TABLES.storageNodes, (key, _, on) => this.#hasStorage(prefixOfNode(key), on.firstTries)],
      // The head may go back as far once more.
      [
        TABLES.sideChanges,
        (key, _, on) =>
          isFrom(key, Math.min(on.firstTries - settings.proofBlocks, on.firstChanges)),
      ],
      [TABLES.stateChanges, (key, _, on) => this.#areChangesNeeded(key, on)],
    ];
    const ofValues: readonly (readonly [string, IsNeeded])[] = [
      [TABLES.slots, (key, value, { first }) => this.#isSlotNeeded(key, value, first)],
      [TABLES.history, (key, _, { first }) => this.#isEarlierNeeded(key, first)],
      [TABLES.accounts, (key, value, { first }) => this.#isAccountNeeded(key, value, first)],
    ];
    this.#tables = history === undefined ? always : [...always, ...ofValues];
  }

  /** The entries of the next piece that are not needed with a new head; nothing may be committed meanwhile. */
  async findUnneeded({
    head,
    removed,
  }: Pick<HeadMove, "head" | "removed">): Promise<readonly UnneededEntry[]> {
    const number = Number(head.number);
    if (number % BLOCKS_BETWEEN !== 0 || removed.length > 0) return [];
    const firstTries = number - this.#settings.proofBlocks;
    if (firstTries <= 0) return [];
    const first = firstKept(this.#chain);
    const limits = {
      first,
      firstTries: Math.max(first, firstTries),
      firstChanges: firstWithChanges(number, this.#settings),
    };
    const found: UnneededEntry[] = [];
    this.#last = undefined;
    let budget = ENTRIES_AT_ONCE;
    for (let visited = 0; visited <= this.#tables.length && budget > 0; visited++) {
      budget -= await this.#visit(found, limits, budget);
    }
    return found;
  }

  /** Reads the rest of the current table, or as much of it as the budget allows; returns how much it read. */
  async #visit(found: UnneededEntry[], limits: Limits, budget: number): Promise<number> {
    const [table, isNeeded] = this.#tables[this.#table] ?? [];
    if (table === undefined || isNeeded === undefined) return budget;
    let read = 0;
    const range = { from: this.#from, limit: budget };
    for await (const [key, value] of this.#settings.store.table(table).iterate(range)) {
      read += 1;
      if (!(await isNeeded(key, value, limits))) found.push({ table, key });
      this.#from = Buffer.concat([key, Uint8Array.of(0)]);
    }
    if (read < budget) {
      this.#table = (this.#table + 1) % this.#tables.length;
      this.#from = new Uint8Array();
    }
    return read;
  }

  /** Whether an account has this storage at a block, or gets it later. */
  #hasStorage(prefix: Uint8Array, block: number): boolean {
    return incarnationOfPrefix(prefix) >= this.#incarnationAt(accountOfPrefix(prefix), block);
  }

  /** Consecutive entries mostly belong to one account. */
  #incarnationAt(account: Uint8Array, block: number): number {
    const last = this.#last;
    if (last?.block === block && Buffer.compare(last.account, account) === 0) {
      return last.incarnation;
    }
    const incarnation = this.#values.findAt(account, block)?.incarnation ?? 0;
    this.#last = { account, block, incarnation };
    return incarnation;
  }

  #isSlotNeeded(key: Uint8Array, value: Uint8Array, first: number): boolean {
    const { since, body } = decodeRecord(value);
    const isZero = body.length === 0 && since <= first && this.#settings.keepsRemovals !== true;
    return !isZero && this.#hasStorage(prefixOfSlot(key), first);
  }

  /** An earlier value is needed until another one has replaced it in the first kept state. */
  #isEarlierNeeded(place: Uint8Array, first: number): boolean {
    const key = keyOfHistory(place);
    const version = versionOfHistory(place) + 1;
    const latest = this.#values.findLatest(key);
    // The key was removed, and may be there again.
    if (latest === undefined || latest.version < version) return false;
    const next = latest.version === version ? latest : this.#values.findVersion(key, version);
    return next === undefined || next.since > first;
  }

  /** The incarnation of a removed account is needed as long as it has slots or nodes. */
  async #isAccountNeeded(key: Uint8Array, value: Uint8Array, first: number): Promise<boolean> {
    const { since, incarnation, body } = decodeRecord(value);
    if (body.length > 0 || since > first || this.#settings.keepsRemovals === true) return true;
    const storage = { from: storagePrefix(key, 0), to: storagePrefix(key, incarnation), limit: 1 };
    for (const table of [TABLES.slots, TABLES.storageNodes, TABLES.history]) {
      for await (const _ of this.#settings.store.table(table).iterate(storage)) return true;
    }
    return false;
  }

  /** With `--history`, the pruner needs those of later blocks. */
  #areChangesNeeded(key: Uint8Array, { first, firstChanges }: Limits): boolean {
    const { history } = this.#settings;
    return isFrom(key, history === undefined ? Math.max(first + 1, firstChanges) : first + 1);
  }
}

/** Whether the key of a block has at least a number. */
function isFrom(key: Uint8Array, number: number): boolean {
  return numberOf(key) >= number;
}
