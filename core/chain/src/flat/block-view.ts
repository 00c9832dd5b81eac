import { type Hash, InvariantError, type KeyValueStore, type SealedHeader } from "@plinth/core";
import type { NodeCache } from "../state/node-cache.js";
import type { Pace, StateTries } from "../state/state-source.js";
import { textOf } from "../state/state-values.js";
import { ChainStore } from "../store/chain-store.js";
import { latestOf, locate, type Place } from "./block-position.js";
import type { FlatView } from "./flat-source.js";
import { storagePrefix } from "./keys.js";
import type { FlatValue } from "./record.js";
import type { RemovalMark, Removals } from "./removals.js";
import type { RecentTries } from "./tries/recent-tries.js";
import { TrieOverlay } from "./tries/trie-overlay.js";
import { FlatValues } from "./values.js";

/** The dependencies of a view. */
export interface ViewContext {
  readonly store: KeyValueStore;
  readonly chain: ChainStore;
  /** The head as of the last commit of this thread; `undefined` if another one writes the database. */
  readonly head: () => SealedHeader | undefined;
  readonly removals: Removals;
  readonly cache: NodeCache;
  readonly recent: RecentTries;
  readonly proofBlocks: number;
}

/** Where the values of a block are, as of a mark. */
interface Position {
  readonly mark: RemovalMark;
  readonly ancestor: number;
  /** The latest values of the side blocks, by key. */
  readonly values: ReadonlyMap<string, FlatValue>;
}

const NO_VALUES: ReadonlyMap<string, FlatValue> = new Map();
const NOTHING_LENT: Disposable = { [Symbol.dispose]() {} };

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
  prepareTries: async () => NOTHING_LENT,
};

/** The state after a block, on the canonical chain or off it; it may change sides while it is read. */
export class BlockView implements FlatView {
  readonly #block: Place;
  readonly #context: ViewContext;
  readonly #values: FlatValues;
  #position: Position;
  readonly #find = (key: Uint8Array) => this.find(key);

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
    return this.#openHead() ?? this.#openRecent(incarnationOf);
  }

  /** Makes the tries ready in steps; opening them is quick until the result is disposed of. */
  async prepareTries(pace: Pace): Promise<Disposable> {
    const { chain, recent } = this.#context;
    const isHead = this.#headRootIn(chain) === this.#block.stateRoot;
    return isHead ? NOTHING_LENT : recent.prepare(this.#block, this.#find, pace);
  }

  /** The tries of the head if this block has the same. */
  #openHead(): StateTries | undefined {
    const { store, cache } = this.#context;
    const snapshot = store.snapshot();
    try {
      if (this.#headRootIn(new ChainStore(snapshot)) !== this.#block.stateRoot) {
        snapshot.close();
        return undefined;
      }
      const overlay = new TrieOverlay(snapshot, cache);
      let values: FlatValues | undefined;
      return {
        accounts: overlay.reader(),
        storageOf: (key) => {
          values ??= new FlatValues(snapshot);
          // The head has the same storage, but it may have been cleared more often.
          return overlay.reader(storagePrefix(key, values.findLatest(key)?.incarnation ?? 0));
        },
        [Symbol.dispose]: () => snapshot.close(),
      };
    } catch (error) {
      snapshot.close();
      throw error;
    }
  }

  /** The state root of the head in the database or a snapshot, which may be later than the head that this thread knows. */
  #headRootIn(chain: ChainStore): Hash | undefined {
    const head = this.#context.head();
    if (head !== undefined && chain.findHeadHash() === head.hash) return head.stateRoot;
    return chain.findHead()?.stateRoot;
  }

  #openRecent(incarnationOf: (accountKey: Uint8Array) => number): StateTries {
    const lent = this.#context.recent.open(this.#block, this.#find);
    return {
      accounts: lent.tries.reader(),
      storageOf: (key) => lent.tries.reader(storagePrefix(key, incarnationOf(key))),
      [Symbol.dispose]: () => lent[Symbol.dispose](),
    };
  }

  #locate(): Position {
    const { removals, head } = this.#context;
    for (;;) {
      const mark = removals.mark();
      // Its removal would be written after the mark was read.
      if (!removals.isWriting && head()?.hash === this.#block.hash) {
        return { mark, ancestor: Number(this.#block.number), values: NO_VALUES };
      }
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
