import { EMPTY_ROOT, type Hash, type SealedHeader, StorageError } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import type { Snapshot } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import type { NodeCache } from "../../state/node-cache.js";
import { textOf } from "../../state/state-values.js";
import type { NodeReader } from "../../state/trie.js";
import type { BlockPosition, Place } from "../block-position.js";
import { accountOfPrefix, blockKey, incarnationOfPrefix } from "../keys.js";
import { decodeAccountBody, decodeChangedKeys, type FlatValue } from "../record.js";
import { changesGone } from "../state-shift.js";
import { FlatValues } from "../values.js";
import { leavesOf } from "./leaves-of.js";
import { TrieOverlay } from "./trie-overlay.js";
import { updateInSteps } from "./update-in-steps.js";

/** The way from one block to another, as of a snapshot. */
export interface Way {
  readonly from: BlockPosition;
  readonly to: BlockPosition;
  readonly source: Pick<Snapshot, "table">;
  /** The value of a key after the block to which the way leads. */
  find(key: Uint8Array): FlatValue | undefined;
}

/**
 * The tries of a block, in memory over those of the head of a snapshot.
 *
 * They can be moved to another block, in steps; after a move that was not completed they must not be used.
 */
export class MovedTries {
  readonly #snapshot: Snapshot;
  /** Those of the head of the snapshot. */
  readonly #values: FlatValues;
  readonly #overlay: TrieOverlay;
  /** The roots of the storage tries that were changed, by prefix. */
  readonly #storageRoots = new Map<string, Hash>();
  #block: Place;

  constructor(snapshot: Snapshot, head: SealedHeader, cache: NodeCache) {
    this.#snapshot = snapshot;
    this.#values = new FlatValues(snapshot);
    this.#overlay = new TrieOverlay(snapshot, cache);
    this.#block = head;
  }

  /** The block whose tries these are. */
  get block(): Place {
    return this.#block;
  }

  /** The nodes of a trie: of accounts, or of the storage with a prefix. */
  reader(prefix?: Uint8Array): NodeReader {
    return this.#overlay.reader(prefix);
  }

  /** Releases the snapshot. */
  close(): void {
    this.#snapshot.close();
  }

  /** Moves the tries to another block. */
  *moveTo(block: Place, on: Way): Steps<void> {
    const keys = yield* changedKeys(on);
    const { accounts, storages } = yield* leavesOf(keys, on.find);
    for (const [prefix, leaves] of storages) {
      const trie = { root: this.#storageRootOf(prefix), leaves, prefix };
      this.#storageRoots.set(textOf(prefix), yield* updateInSteps(this.#overlay, trie));
    }
    const trie = { root: this.#block.stateRoot, leaves: accounts };
    const root = yield* updateInSteps(this.#overlay, trie);
    if (root !== block.stateRoot) {
      throw new StorageError("STORAGE_DAMAGED", {
        message: `the database is damaged: the state of block ${block.number} has the root ${root} instead of ${block.stateRoot}`,
        table: TABLES.history,
      });
    }
    this.#block = block;
  }

  /** The root of the nodes of a storage: of storage that was cleared, the last one. */
  #storageRootOf(prefix: Uint8Array): Hash {
    const known = this.#storageRoots.get(textOf(prefix));
    if (known !== undefined) return known;
    const key = accountOfPrefix(prefix);
    const incarnation = incarnationOfPrefix(prefix);
    let record = this.#values.findLatest(key);
    while (record !== undefined && record.incarnation > incarnation && record.version > 0) {
      record = this.#values.findVersion(key, record.version - 1);
    }
    if (record?.incarnation !== incarnation) return EMPTY_ROOT;
    return decodeAccountBody(record.body)?.storageRoot ?? EMPTY_ROOT;
  }
}

/** The keys whose values may differ between two positions. */
function* changedKeys({ from, to, source }: Way): Steps<ReadonlySet<string>> {
  const keys = new Set<string>();
  const changes = source.table(TABLES.stateChanges);
  const last = Math.max(from.ancestor, to.ancestor);
  for (let block = Math.min(from.ancestor, to.ancestor) + 1; block <= last; block++) {
    const bytes = changes.getSync(blockKey(block));
    if (bytes === undefined) throw changesGone(block);
    for (const { key } of decodeChangedKeys(bytes)) keys.add(textOf(key));
    yield;
  }
  const shared = sharedSideBlocks(from, to);
  for (const { changes } of [...from.side.slice(shared), ...to.side.slice(shared)]) {
    for (const { key } of changes()) keys.add(textOf(key));
    yield;
  }
  return keys;
}

/** The number of blocks that must be removed and applied between two positions. */
export function distanceBetween(a: BlockPosition, b: BlockPosition): number {
  const sides = a.side.length + b.side.length - 2 * sharedSideBlocks(a, b);
  return Math.abs(a.ancestor - b.ancestor) + sides;
}

function sharedSideBlocks(a: BlockPosition, b: BlockPosition): number {
  if (a.ancestor !== b.ancestor) return 0;
  let shared = 0;
  while (shared < a.side.length && a.side[shared]?.hash === b.side[shared]?.hash) shared++;
  return shared;
}
