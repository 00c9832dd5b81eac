import { EMPTY_ROOT, type Hash, type SealedHeader } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { type OldestStates, type StatePoint, StatePruned } from "@plinth/core/chain";
import type { Table, WriteBatch } from "@plinth/core/storage";
import { NodeCache } from "./node-cache.js";
import type { StateLayout } from "./state-layout.js";
import { nodesOf, type StateUpdate } from "./state-root.js";
import { EMPTY_SLOT, type StateSource } from "./state-source.js";
import { decodeAccount, decodeSlotValue } from "./state-values.js";
import { findInTrie } from "./trie.js";
import { TrieStore } from "./trie-store.js";

const DEFAULT_CACHE_NODES = 32_768;

/**
 * The layout `FOREST`: the nodes of all tries by hash.
 *
 * Every state is kept and found by its root; values are read through the tries.
 */
export class ForestLayout implements StateLayout {
  readonly canRestore = true;
  readonly #nodes: TrieStore;

  constructor(
    source: { table(name: string): Table },
    cache = new NodeCache({ maxNodes: DEFAULT_CACHE_NODES }),
  ) {
    this.#nodes = new TrieStore(source, cache);
  }

  has({ stateRoot }: StatePoint): boolean {
    return stateRoot === EMPTY_ROOT || this.#nodes.hasNode(stateRoot);
  }

  /** Values are stored in the tries alone. */
  async rebuildTries(): Promise<void> {}

  oldest(): OldestStates {
    return { values: 0n, tries: 0n };
  }

  /** Every state is kept. */
  verifyKept(): void {}

  open({ stateRoot: root }: StatePoint, getCode: (hash: Hash) => Uint8Array): StateSource {
    const nodes = this.#nodes;
    const tries = { accounts: nodes, storageOf: () => nodes, [Symbol.dispose]() {} };
    return {
      root,
      getCode,
      findAccount(key) {
        const bytes = findInTrie(nodes, { root, key });
        return bytes && decodeAccount(bytes);
      },
      findSlot({ stored: { storageRoot } }, key) {
        const bytes = findInTrie(nodes, { root: storageRoot, key });
        return bytes === undefined ? EMPTY_SLOT : { value: decodeSlotValue(bytes) };
      },
      incarnationOf: () => 0,
      openTries: () => tries,
      prepareTries: async () => tries,
    };
  }

  changesOf({ number }: SealedHeader): never {
    throw new StatePruned(
      `what block ${number} changed is not known: --data-storage-format=FOREST stores whole states only, BONSAI also their changes`,
    );
  }

  /** The state is readable at once. */
  add(state: StateUpdate): void {
    this.#nodes.add(nodesOf(state));
  }

  /** Every state is kept. */
  async findUnneeded(): Promise<readonly []> {
    return [];
  }

  // biome-ignore lint/correctness/useYield: one step.
  *stage(batch: Pick<WriteBatch, "put">): Steps<() => void> {
    return this.#nodes.writeTo(batch);
  }
}
