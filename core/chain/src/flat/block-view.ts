import {
  type Hash,
  InvariantError,
  type KeyValueStore,
  type SealedHeader,
  StorageError,
} from "@plinth/core";
import { StatePruned } from "@plinth/core/chain";
import type { Snapshot } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import type { NodeCache } from "../state/node-cache.js";
import type { StateTries } from "../state/state-source.js";
import { bytesOf } from "../state/state-values.js";
import { ChainStore } from "../store/chain-store.js";
import type { FlatView } from "./flat-source.js";
import { sideKey, storagePrefix, textOf } from "./keys.js";
import { damagedEntry, decodeChanges, type FlatValue, type ValueChange } from "./record.js";
import type { RemovalMark, Removals } from "./removals.js";
import { NOWHERE, StateShift } from "./state-shift.js";
import { TrieOverlay } from "./trie-overlay.js";
import { FlatValues } from "./values.js";

/** A known block. */
export type Place = Pick<SealedHeader, "number" | "hash" | "stateRoot">;

/** The dependencies of a view. */
export interface ViewContext {
  readonly store: KeyValueStore;
  readonly chain: ChainStore;
  readonly removals: Removals;
  readonly cache: NodeCache;
  readonly proofBlocks: number;
}

/** A block of the canonical chain, and the changes of the blocks on top of it that are not. */
interface Side {
  readonly ancestor: number;
  readonly side: readonly (readonly ValueChange[])[];
}

/** Where the values of a block are, as of a mark. */
interface Position {
  readonly mark: RemovalMark;
  readonly ancestor: number;
  /** The latest values of the side blocks, by key. */
  readonly values: ReadonlyMap<string, FlatValue>;
}

/** Whether the state after a block can be read. */
export function canLocate(block: Place, context: ViewContext): boolean {
  try {
    locate(block, context);
    return true;
  } catch (error) {
    if (error instanceof StatePruned || error instanceof StorageError) return false;
    throw error;
  }
}

/** The view of a state without accounts. */
export const EMPTY_VIEW: FlatView = {
  find: () => undefined,
  openTries() {
    const accounts = {
      getNode(): never {
        throw new InvariantError("an empty trie has no nodes");
      },
    };
    return { accounts, storageOf: () => accounts, [Symbol.dispose]() {} };
  },
};

/** The state after a block, on the canonical chain or off it; it may change sides while it is read. */
export class BlockView implements FlatView {
  readonly #block: Place;
  readonly #context: ViewContext;
  readonly #values: FlatValues;
  #position: Position;

  constructor(block: Place, context: ViewContext) {
    this.#block = block;
    this.#context = context;
    this.#values = new FlatValues(context.store);
    this.#position = this.#locate();
  }

  find(key: Uint8Array): FlatValue | undefined {
    const { removals } = this.#context;
    for (;;) {
      const { mark } = this.#position;
      try {
        const value = this.#read(key);
        if (!removals.hasChangedSince(mark)) return value;
      } catch (error) {
        // A version may have been removed between two reads.
        if (!removals.hasChangedSince(mark)) throw error;
      }
      this.#position = this.#locate();
    }
  }

  #read(key: Uint8Array): FlatValue | undefined {
    const { values, ancestor } = this.#position;
    const ofSide = values.size > 0 ? values.get(textOf(key)) : undefined;
    return ofSide ?? this.#values.findAt(key, ancestor);
  }

  openTries(incarnationOf: (accountKey: Uint8Array) => number): StateTries {
    const { store } = this.#context;
    const snapshot = store.snapshot();
    try {
      const isHead = new ChainStore(snapshot).findHead()?.stateRoot === this.#block.stateRoot;
      const overlay = isHead
        ? new TrieOverlay(snapshot, this.#context.cache)
        : this.#moveTo(snapshot);
      // The head has the same storage, but it may have been cleared more often.
      const values = new FlatValues(snapshot);
      const placeOf = isHead
        ? (key: Uint8Array) => values.findLatest(key)?.incarnation ?? 0
        : incarnationOf;
      return {
        accounts: overlay.reader(),
        storageOf: (key) => overlay.reader(storagePrefix(key, placeOf(key))),
        [Symbol.dispose]: () => snapshot.close(),
      };
    } catch (error) {
      snapshot.close();
      throw error;
    }
  }

  /** The tries of this block, made from those of the head of a snapshot. */
  #moveTo(snapshot: Snapshot): TrieOverlay {
    const { cache, proofBlocks } = this.#context;
    const { number, stateRoot } = this.#block;
    const chain = new ChainStore(snapshot);
    const head = chain.findHead();
    if (head === undefined) throw new InvariantError("a state without a head");
    const { ancestor, side } = locate(this.#block, { store: snapshot, chain, proofBlocks });
    if (Number(head.number) - ancestor > proofBlocks) {
      throw new StatePruned(
        `the trie of block ${number} is no longer kept: --history-proofs-blocks keeps those of ${proofBlocks} blocks before the head, block ${head.number}; a database with --data-storage-format=FOREST keeps all`,
      );
    }
    const shift = new StateShift(snapshot, { cache, sink: NOWHERE });
    for (let block = Number(head.number); block > ancestor; block--) shift.removeBlock(block);
    for (const [index, changes] of side.entries()) shift.applyBlock(ancestor + 1 + index, changes);
    const root = shift.moveTries(head.stateRoot);
    if (root !== stateRoot) {
      throw new StorageError("STORAGE_DAMAGED", {
        message: `the database is damaged: the state of block ${number} has the root ${root} instead of ${stateRoot}`,
        table: TABLES.history,
      });
    }
    return shift.tries;
  }

  #locate(): Position {
    const { removals } = this.#context;
    for (;;) {
      const mark = removals.mark();
      try {
        const { ancestor, side } = locate(this.#block, this.#context);
        return { mark, ancestor, values: latestOf(side) };
      } catch (error) {
        // The block may have changed sides meanwhile.
        if (!removals.hasChangedSince(mark)) throw error;
      }
    }
  }
}

function latestOf(side: Side["side"]): ReadonlyMap<string, FlatValue> {
  const values = new Map<string, FlatValue>();
  for (const changes of side) {
    for (const change of changes) values.set(textOf(change.key), change);
  }
  return values;
}

/** Finds the canonical ancestor of a block, and the changes of the blocks on top of it. */
function locate(
  block: Place,
  on: Pick<ViewContext, "chain" | "proofBlocks"> & { readonly store: Pick<KeyValueStore, "table"> },
): Side {
  const { store, chain, proofBlocks } = on;
  const side: (readonly ValueChange[])[] = [];
  let missing: Uint8Array | undefined;
  let { number, hash }: { number: bigint; hash: Hash } = block;
  while (chain.findHash(number) !== hash) {
    const key = sideKey(number, hash);
    const bytes = store.table(TABLES.sideChanges).getSync(key);
    const header = chain.findHeader(hash);
    if (header === undefined) throw damagedEntry(TABLES.headers, bytesOf(hash));
    if (bytes === undefined) missing = key;
    else side.unshift(decodeChanges(bytes));
    number -= 1n;
    hash = header.parentHash;
  }
  if (missing === undefined) return { ancestor: Number(number), side };
  const first = (chain.findHead()?.number ?? 0n) - BigInt(proofBlocks);
  if (number < first) throw sidePruned(block, proofBlocks);
  throw damagedEntry(TABLES.sideChanges, missing);
}

function sidePruned({ number, hash }: Place, proofBlocks: number): StatePruned {
  return new StatePruned(
    `the state of block ${number} (${hash}), which is off the canonical chain, is no longer kept: --history-proofs-blocks keeps the changes of ${proofBlocks} blocks`,
  );
}
