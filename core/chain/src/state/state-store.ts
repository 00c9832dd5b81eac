import { type Address, EMPTY_ROOT, type Hash, StorageError, toHex } from "@plinth/core";
import type { AccountProof, ProofRequest, RangedAccount, RangedSlot } from "@plinth/core/chain";
import type { Table, WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { BufferedTable } from "./buffered-table.js";
import { CodeCache } from "./code-cache.js";
import { NodeCache } from "./node-cache.js";
import { proveAccount } from "./proof.js";
import { accountsFrom, readerOver, slotsFrom } from "./state-range.js";
import { type StateUpdate, updateState } from "./state-root.js";
import { TrieStore } from "./trie-store.js";
import { JournaledState, type StateSource } from "./world-state.js";

const DEFAULT_CACHE_NODES = 32_768;
const CODE_CACHE_BYTES = 4 * 1024 * 1024;

/**
 * All stored states, by root.
 *
 * The source is the database, or a snapshot of it for readers that must not see the next block.
 */
export class StateStore {
  readonly #nodes: TrieStore;
  readonly #code: BufferedTable;
  readonly #codeCache = new CodeCache({ maxBytes: CODE_CACHE_BYTES });
  readonly #preimages: BufferedTable;
  readonly #source: StateSource;

  constructor(
    source: { table(name: string): Table },
    cache = new NodeCache({ maxNodes: DEFAULT_CACHE_NODES }),
  ) {
    this.#nodes = new TrieStore(source, cache);
    this.#code = new BufferedTable(TABLES.code, source);
    this.#preimages = new BufferedTable(TABLES.preimages, source);
    this.#source = {
      getNode: (hash) => this.#nodes.getNode(hash),
      getCode: (hash) => this.#getCode(hash),
    };
  }

  /** Whether the state with this root is available. */
  has(root: Hash): boolean {
    return root === EMPTY_ROOT || this.#nodes.hasNode(root);
  }

  /** The state with this root, for reading and changing; reading throws if it is not available. */
  open(root: Hash): JournaledState {
    return new JournaledState(root, this.#source);
  }

  /** Computes the changes of a state; nothing is stored until they are added. */
  update(state: JournaledState): StateUpdate {
    return updateState(this.#nodes, { root: state.root, changes: state.changes() });
  }

  /** Makes a new state readable; it is written with the next batch. */
  add({ nodes, code, preimages }: StateUpdate): void {
    this.#nodes.add(nodes);
    for (const [hash, bytes] of code) this.#code.add(hash, bytes);
    for (const [hash, bytes] of preimages) this.#preimages.add(hash, bytes);
  }

  /**
   * Adds everything to a batch.
   *
   * Entries stay readable; call the returned function after the commit to release them.
   */
  writeTo(batch: Pick<WriteBatch, "put">): () => void {
    const written = [this.#nodes, this.#code, this.#preimages].map((part) => part.writeTo(batch));
    return () => {
      for (const release of written) release();
    };
  }

  /** Proves an account and some of its slots under a root. */
  prove(request: ProofRequest): AccountProof {
    return proveAccount(this.#nodes, request);
  }

  /** The accounts of a state in hash order, from a hash on. */
  accountsFrom(root: Hash, start: Hash): Generator<RangedAccount, undefined> {
    return accountsFrom(this.#nodes, root, {
      start,
      findPreimage: (key) => this.findPreimage(key),
    });
  }

  /** The same for a changed state. */
  accountsIn(state: JournaledState, start: Hash): Generator<RangedAccount, undefined> {
    const update = this.update(state);
    return accountsFrom(readerOver(this.#nodes, update), update.root, {
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
    return slotsFrom(
      readerOver(this.#nodes, update),
      { root: update.root, address },
      { start, findPreimage: (key) => toPreimage(update, key) ?? this.findPreimage(key) },
    );
  }

  /** The address or storage slot behind a trie key. */
  findPreimage(key: Hash): Address | Hash | undefined {
    const bytes = this.#preimages.find(key);
    return bytes && toHex(bytes);
  }

  #getCode(hash: Hash): Uint8Array {
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
  }
}

function toPreimage({ preimages }: StateUpdate, key: Hash): Hash | undefined {
  const bytes = preimages.get(key);
  return bytes && toHex(bytes);
}
