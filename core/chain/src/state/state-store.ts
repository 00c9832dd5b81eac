import { type Address, type Hash, type SealedHeader, StorageError, toHex } from "@plinth/core";
import { runInTurns, runSteps, type Steps } from "@plinth/core/async";
import {
  type AccountProof,
  type ChangedAccount,
  type ChangedParts,
  type OldestStates,
  type ProofRequest,
  type RangedAccount,
  type RangedSlot,
  type ReportedAccount,
  StateMissing,
  type StateOrigin,
  type StatePoint,
  type StateRanges,
} from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import type { Table, WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { BufferedTable } from "./buffered-table.js";
import { CodeCache } from "./code-cache.js";
import { ForestLayout } from "./forest-layout.js";
import { proveAccount } from "./proof.js";
import { openTrieRanges } from "./ranges/trie-ranges.js";
import type { StateCommit, StateLayout } from "./state-layout.js";
import { accountsFrom, slotsFrom, sourceOver } from "./state-range.js";
import { type StateUpdate, updateState } from "./state-root.js";
import type { Pace } from "./state-source.js";
import { StoredState } from "./stored-state.js";
import { readReported } from "./update/reported-changes.js";
import { JournaledState } from "./world-state.js";

const CODE_CACHE_BYTES = 4 * 1024 * 1024;

/**
 * All stored states.
 *
 * The source is the database, or a snapshot of it for readers that must not see the next block.
 */
export class StateStore {
  readonly #layout: StateLayout;
  readonly #code: BufferedTable;
  readonly #codeCache = new CodeCache({ maxBytes: CODE_CACHE_BYTES });
  readonly #preimages: BufferedTable;
  readonly #origin: StateOrigin | undefined;
  readonly #getCode = (hash: Hash): Uint8Array => {
    const cached = this.#codeCache.find(hash);
    if (cached !== undefined) return cached;
    const code = this.#code.find(hash);
    if (code !== undefined) {
      this.#codeCache.add(hash, code);
      return code;
    }
    throw new StorageError("STORAGE_DAMAGED", {
      message: `the code ${hash} is missing from the state`,
      table: TABLES.code,
    });
  };

  constructor(
    source: { table(name: string): Table },
    layout: StateLayout = new ForestLayout(source),
    origin?: StateOrigin,
  ) {
    this.#layout = layout;
    this.#origin = origin;
    this.#code = new BufferedTable(TABLES.code, source);
    this.#preimages = new BufferedTable(TABLES.preimages, source);
  }

  /** Whether an earlier state can be written again. */
  get canRestore(): boolean {
    return this.#layout.canRestore;
  }

  /** Writes the tries of the head again from its values; nothing may be committed meanwhile. */
  rebuildTries(head: SealedHeader, signal?: AbortSignal): Promise<void> {
    return this.#layout.rebuildTries(head, signal);
  }

  /** The first blocks whose state is kept. */
  oldest(): OldestStates {
    return this.#layout.oldest();
  }

  /** Whether the state after a block is available. */
  has(at: StatePoint): boolean {
    return this.#layout.has(at);
  }

  /** Throws `StatePruned` if the state after a block is one that the layout no longer keeps. */
  verifyKept(at: StatePoint): void {
    this.#layout.verifyKept(at);
  }

  /** The state after a block, for reading and changing; throws if it is not available. */
  open(at: StatePoint): JournaledState {
    return new JournaledState(this.#layout.open(at, this.#getCode));
  }

  /** The state after a block, for a few reads; throws if it is not available. */
  readerAt(at: StatePoint): StoredState | JournaledState {
    const source = this.#layout.open(at, this.#getCode);
    return source.markOf === undefined ? new StoredState(source) : new JournaledState(source);
  }

  /** Whether values may be missing until they are fetched. */
  get isPartial(): boolean {
    return this.#layout.addFetched !== undefined && this.#origin !== undefined;
  }

  /** Runs work that reads states, and again once the values that it misses are fetched. */
  async resolveMissing<T>(work: () => T | Promise<T>): Promise<T> {
    const { addFetched } = this.#layout;
    const origin = this.#origin;
    if (addFetched === undefined || origin === undefined) return work();
    for (let run = true; ; run = false) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StateMissing)) throw error;
        const { values } = error;
        await addFetched(await origin.fetch({ values, run: run ? error.run : undefined }));
      }
    }
  }

  /** The accounts and slots that a block changed, with their values after it. */
  *changesOf(block: SealedHeader, what?: ChangedParts): Generator<ChangedAccount, undefined> {
    for (const { key, before, after, isCleared, slots } of this.#layout.changesOf(block, what)) {
      const isNew = after !== undefined && after.codeHash !== before?.codeHash;
      yield {
        ...this.#named(key),
        account: after,
        code:
          isNew && after.codeHash !== EMPTY_CODE_HASH ? this.#getCode(after.codeHash) : undefined,
        isCleared,
        slots: slots.map(({ key, value }) => {
          const { key: hash, address: slot } = this.#named(key);
          return { key: hash, slot, value };
        }),
      };
    }
  }

  /** A key of a trie, and what it is the hash of. */
  #named(bytes: Uint8Array): { readonly key: Hash; readonly address: Address | undefined } {
    const key = toHex(bytes);
    return { key, address: this.findPreimage(key) };
  }

  /** Computes the changes of a state; nothing is stored until they are added. */
  update(state: JournaledState): StateUpdate {
    return updateState(state.source, state.changes());
  }

  /** Computes the state that another node reports after a block on this parent; throws `InvalidBlock` if it contradicts itself. */
  async updateAs(parent: StatePoint, accounts: readonly ReportedAccount[]): Promise<StateUpdate> {
    const { source } = this.open(parent);
    using _tries = await source.prepareTries({ lane: "chain" });
    const changes = await readReported(source, accounts, (hash) => this.findCode(hash));
    return updateState(source, changes);
  }

  /** Makes the tries of a state ready, in steps: until the result is disposed of, its root takes little time. */
  prepareTries(state: JournaledState, pace: Pace): Promise<Disposable> {
    return state.source.prepareTries(pace);
  }

  /** Keeps a new state in memory until it is written with the next batch. */
  add(state: StateUpdate): void {
    this.#layout.add(state);
    for (const [hash, bytes] of state.code) this.#code.add(hash, bytes);
    for (const [hash, bytes] of state.preimages) this.#preimages.add(hash, bytes);
  }

  /**
   * Adds everything that was added to a batch.
   *
   * Call the returned function after the commit.
   */
  writeTo(batch: Pick<WriteBatch, "put" | "delete">, commit: StateCommit = {}): () => void {
    return runSteps(this.#stage(batch, commit));
  }

  /**
   * The same for a change of the head, together with removing some of what is not needed with it.
   *
   * It may take long if blocks are removed: others run in between.
   */
  async writeInTurns(
    batch: Pick<WriteBatch, "put" | "delete">,
    commit: StateCommit,
  ): Promise<() => void> {
    const { moved } = commit;
    const unneeded = moved === undefined ? [] : await this.#layout.findUnneeded(moved);
    for (const { table, key } of unneeded) batch.delete(table, key);
    return runInTurns(this.#stage(batch, commit), { lane: "chain" });
  }

  *#stage(batch: Pick<WriteBatch, "put" | "delete">, commit: StateCommit): Steps<() => void> {
    const written = [
      yield* this.#layout.stage(batch, commit),
      this.#code.writeTo(batch),
      this.#preimages.writeTo(batch),
    ];
    return () => {
      for (const release of written) release();
    };
  }

  /** Proves an account and some of its slots in the state after a block. */
  prove(at: StatePoint, request: ProofRequest): AccountProof {
    return proveAccount(this.open(at).source, request);
  }

  /** Opens the tries of the state after a block by ranges and nodes. */
  async openRanges(at: StatePoint, pace: Pace): Promise<StateRanges> {
    return openTrieRanges(this.open(at).source, pace);
  }

  /** The code with a hash. */
  findCode(hash: Hash): Uint8Array | undefined {
    return this.#codeCache.find(hash) ?? this.#code.find(hash);
  }

  /** The accounts after a block in hash order, from a hash on. */
  accountsFrom(at: StatePoint, start: Hash): Generator<RangedAccount, undefined> {
    return accountsFrom(this.open(at).source, {
      start,
      findPreimage: (key) => this.findPreimage(key),
    });
  }

  /** The same for a changed state. */
  accountsIn(state: JournaledState, start: Hash): Generator<RangedAccount, undefined> {
    const update = this.update(state);
    return accountsFrom(sourceOver(state.source, update), {
      start,
      findPreimage: (key) => toPreimage(update, key) ?? this.findPreimage(key),
    });
  }

  /** The slots of an account of a changed state in hash order, from a hash on. */
  slotsFrom(
    state: JournaledState,
    { address, start }: { readonly address: Address; readonly start: Hash },
  ): Generator<RangedSlot, undefined> {
    const update = this.update(state);
    return slotsFrom(sourceOver(state.source, update), address, {
      start,
      findPreimage: (key) => toPreimage(update, key) ?? this.findPreimage(key),
    });
  }

  /** The address or storage slot behind a trie key. */
  findPreimage(key: Hash): Address | Hash | undefined {
    const bytes = this.#preimages.find(key);
    return bytes && toHex(bytes);
  }
}

function toPreimage({ preimages }: StateUpdate, key: Hash): Hash | undefined {
  const bytes = preimages.get(key);
  return bytes && toHex(bytes);
}
