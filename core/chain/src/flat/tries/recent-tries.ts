import { InvariantError, type KeyValueStore, type SealedHeader } from "@plinth/core";
import { runInTurns, runSteps, type Steps } from "@plinth/core/async";
import { StatePruned } from "@plinth/core/chain";
import type { Snapshot } from "@plinth/core/storage";
import type { NodeCache } from "../../state/node-cache.js";
import type { Pace } from "../../state/state-source.js";
import { ChainStore } from "../../store/chain-store.js";
import { type BlockPosition, canLocate, locate, type Place } from "../block-position.js";
import type { FetchedState } from "../fetched-values.js";
import { distanceBetween, MovedTries, type Way } from "./moved-tries.js";

/** The tries of a block, which stay those of this block until they are disposed of. */
export interface LentTries extends Disposable {
  readonly tries: MovedTries;
}

/** Finds the value of a key after the block whose tries are wanted. */
type Find = Way["find"];

interface Kept {
  readonly tries: MovedTries;
  readonly openedAt: number;
  users: number;
}

const MAX_KEPT = 2;
/** A snapshot keeps the database from removing old entries, so it must not be kept for long. */
const MAX_AGE_MS = 300_000;
const MAX_IDLE_MS = 30_000;

/**
 * The tries of blocks before the head and off the canonical chain that were needed last.
 *
 * Those of another block are made from them if they are nearer than the head.
 */
export class RecentTries {
  readonly #store: KeyValueStore;
  readonly #chain: ChainStore;
  readonly #cache: NodeCache;
  readonly #proofBlocks: number;
  readonly #fetched: FetchedState | undefined;
  #kept: readonly Kept[] = [];
  #idle: NodeJS.Timeout | undefined;

  constructor(
    store: KeyValueStore,
    {
      cache,
      proofBlocks,
      fetched,
    }: {
      readonly cache: NodeCache;
      readonly proofBlocks: number;
      readonly fetched?: FetchedState | undefined;
    },
  ) {
    this.#fetched = fetched;
    this.#store = store;
    this.#chain = new ChainStore(store);
    this.#cache = cache;
    this.#proofBlocks = proofBlocks;
  }

  /** The tries of a block; unless they are ready, this takes time for all that changed in between. */
  open(block: Place, find: Find): LentTries {
    return this.#findReady(block) ?? this.#lend(runSteps(this.#make(block, find)));
  }

  /** The same in steps, between which other work runs. */
  async prepare(block: Place, find: Find, pace: Pace): Promise<LentTries> {
    const ready = this.#findReady(block);
    if (ready !== undefined) return ready;
    const { queue, ...rest } = pace;
    if (queue !== undefined) return queue.run(() => this.prepare(block, find, rest));
    pace.verify?.();
    const steps = verified(this.#make(block, find), pace.verify);
    return this.#lend(await runInTurns(steps, { lane: pace.lane }));
  }

  /** The kept tries of a block, unless they are no longer promised. */
  #findReady({ number, hash }: Place): LentTries | undefined {
    const found = this.#kept.find(({ tries }) => tries.block.hash === hash);
    const head = found && this.#chain.findHead();
    const isPromised = head && head.number - number <= BigInt(this.#proofBlocks);
    return found && isPromised === true ? this.#lend(found) : undefined;
  }

  #lend(kept: Kept): LentTries {
    kept.users += 1;
    this.#keep([...this.#kept.filter((other) => other !== kept), kept]);
    return {
      tries: kept.tries,
      [Symbol.dispose]: () => {
        kept.users -= 1;
        this.#keep(this.#kept);
      },
    };
  }

  *#make(block: Place, find: Find): Steps<Kept> {
    const source = this.#store.snapshot();
    let unused: readonly Pick<Snapshot, "close">[] = [source];
    try {
      const { near, head, from, to } = this.#findStart(block, source);
      const kept = near ?? {
        tries: new MovedTries(source, head, this.#cache),
        openedAt: performance.now(),
        users: 0,
      };
      unused = near === undefined ? [kept.tries] : [kept.tries, source];
      yield* kept.tries.moveTo(block, { from, to, source, find });
      unused = near === undefined ? [] : [source];
      return kept;
    } finally {
      for (const each of unused) each.close();
    }
  }

  /** The nearest tries, and the way from them; without any, it starts at the head. */
  #findStart(block: Place, store: Snapshot) {
    const chain = new ChainStore(store);
    const found = chain.findHead();
    if (found === undefined) throw new InvariantError("a state without a head");
    const { stateRoot } = found;
    const head = { ...found, stateRoot: this.#fetched?.trieRootOf(stateRoot) ?? stateRoot };
    const on = { store, chain, proofBlocks: this.#proofBlocks };
    const to = locate(block, on);
    const first = Number(head.number) - this.#proofBlocks;
    if (to.ancestor < first) throw triePruned(block, head, this.#proofBlocks);
    let near: Kept | undefined;
    let from: BlockPosition = { ancestor: Number(head.number), side: [] };
    this.#keep(this.#kept);
    for (const kept of this.#kept) {
      const { block } = kept.tries;
      if (kept.users > 0 || !canLocate(block, on)) continue;
      const position = locate(block, on);
      const isNearer = distanceBetween(position, to) < distanceBetween(from, to);
      if (position.ancestor >= first && isNearer) [near, from] = [kept, position];
    }
    this.#kept = this.#kept.filter((kept) => kept !== near);
    return { near, head, from, to };
  }

  /** Keeps what is lent, and the latest of the others. */
  #keep(all: readonly Kept[], maxUnused = MAX_KEPT): void {
    const oldest = performance.now() - MAX_AGE_MS;
    const unused = all.filter(({ users }) => users === 0);
    const recent = unused.filter(({ openedAt }) => openedAt >= oldest).slice(-maxUnused);
    const removed = unused.filter((kept) => maxUnused === 0 || !recent.includes(kept));
    this.#kept = all.filter((kept) => !removed.includes(kept));
    for (const { tries } of removed) tries.close();
    clearTimeout(this.#idle);
    if (this.#kept.length === 0) return;
    this.#idle = setTimeout(() => this.#keep(this.#kept, 0), MAX_IDLE_MS).unref();
  }
}

/** The same steps, with a verification after each. */
function* verified<T>(steps: Steps<T>, verify: () => void = () => {}): Steps<T> {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      verify();
      yield;
    }
  } finally {
    steps.return(undefined as never);
  }
}

function triePruned({ number }: Place, head: SealedHeader, proofBlocks: number): StatePruned {
  return new StatePruned(
    `the trie of block ${number} is no longer kept: --history-proofs-blocks keeps those of ${proofBlocks} blocks before the head, block ${head.number}; a database with --data-storage-format=FOREST keeps all`,
  );
}
