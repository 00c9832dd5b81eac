import {
  decodeAccount,
  decodeSlotValue,
  entriesFrom,
  proveEdges,
  type StateTries,
} from "@plinth/chain";
import { EMPTY_ROOT, type Hash, type Hex, hexToBytes, ZERO_HASH } from "@plinth/core";
import type { StoredAccount } from "@plinth/core/chain";
import { encodeChunk } from "./encode-chunk.js";
import type { ChunkAccount, ChunkSlot } from "./state-chunk.js";
import { KEY_BYTES, keyAfter, STATE_START, type StatePosition } from "./state-position.js";

/**
 * The size of a chunk, of which entries count as much as their tries have of them.
 *
 * A decoded slot takes some forty times as much memory, until all of its chunk is verified.
 */
const CHUNK_BYTES = 2 ** 18;

/** A state of which a snapshot is created. */
export interface ChunkedState {
  readonly root: Hash;
  readonly tries: StateTries;
  /** The address or the number of a slot behind a key. */
  findPreimage(key: Hash): Hex | undefined;
}

/** A chunk for a file. */
export interface CreatedChunk {
  readonly content: Uint8Array;
  readonly accounts: readonly ChunkAccount[];
  readonly from: StatePosition;
  /** `undefined` at the end of the state. */
  readonly to: StatePosition | undefined;
}

/**
 * A state as chunks, in order.
 *
 * An account whose storage is larger than a chunk has chunks to itself, each with a part of it.
 */
export function* createChunks(
  state: ChunkedState,
  chunkBytes = CHUNK_BYTES,
): Generator<CreatedChunk, undefined> {
  const { root, tries } = state;
  let from: StatePosition = STATE_START;
  let accounts: ChunkAccount[] = [];
  let bytes = 0;
  for (const [{ key: hash, value }, hasMore] of withMore(
    entriesFrom(tries.accounts, { root, start: ZERO_HASH }),
  )) {
    const key = hexToBytes(hash);
    const account = decodeAccount(value);
    const parts = storageParts(state, { key, account, chunkBytes });
    const first = parts.next().value ?? NO_STORAGE;
    const size = KEY_BYTES + value.length + first.bytes;
    if (accounts.length > 0 && (first.hasMore || bytes + size > chunkBytes)) {
      const chunk = wholeAccounts(state, { accounts, from, hasMore: true });
      yield chunk;
      from = chunk.to ?? from;
      accounts = [];
      bytes = 0;
    }

    const address = state.findPreimage(hash);
    const identified = { key, ...(address !== undefined && { address }), account };
    if (!first.hasMore) {
      accounts.push({ ...identified, slots: first.slots });
      bytes += size;
      continue;
    }
    for (let part: StoragePart | undefined = first; part !== undefined; part = parts.next().value) {
      const chunk = partOfStorage(state, { account: identified, part, from, hasMore });
      yield chunk;
      from = chunk.to ?? from;
    }
  }
  if (accounts.length > 0) yield wholeAccounts(state, { accounts, from, hasMore: false });
}

function wholeAccounts(
  { tries, root }: ChunkedState,
  { accounts, from, hasMore }: Pick<CreatedChunk, "accounts" | "from"> & { hasMore: boolean },
): CreatedChunk {
  const last = accounts.at(-1)?.key ?? from.account;
  const proof = proveEdges(tries.accounts, root, [from.account, last]);
  const content = encodeChunk({ accounts, proof });
  return { content, accounts, from, to: hasMore ? accountAfter(last) : undefined };
}

function partOfStorage(
  { tries, root }: ChunkedState,
  {
    account,
    part,
    from,
    hasMore,
  }: {
    readonly account: Omit<ChunkAccount, "slots">;
    readonly part: StoragePart;
    readonly from: StatePosition;
    readonly hasMore: boolean;
  },
): CreatedChunk {
  const { key } = account;
  const accounts = [{ ...account, slots: part.slots }];
  const origin = from.slot ?? STATE_START.account;
  const last = part.slots.at(-1)?.key ?? origin;
  const storage = tries.storageOf(key);
  const content = encodeChunk({
    accounts,
    proof: proveEdges(tries.accounts, root, [from.account, key]),
    storageProof: proveEdges(storage, account.account.storageRoot, [origin, last]),
  });
  const nextSlot = part.hasMore ? keyAfter(last) : undefined;
  const next = hasMore ? accountAfter(key) : undefined;
  const to = nextSlot === undefined ? next : { account: key, slot: nextSlot };
  return { content, accounts, from, to };
}

function accountAfter(key: Uint8Array): StatePosition | undefined {
  const account = keyAfter(key);
  return account && { account };
}

/** Consecutive slots of a storage, as many as fit into a chunk. */
interface StoragePart {
  readonly slots: readonly ChunkSlot[];
  readonly bytes: number;
  /** Whether the storage has more slots. */
  readonly hasMore: boolean;
}

const NO_STORAGE: StoragePart = { slots: [], bytes: 0, hasMore: false };

function* storageParts(
  { tries, findPreimage }: ChunkedState,
  {
    key,
    account: { storageRoot: root },
    chunkBytes,
  }: {
    readonly key: Uint8Array;
    readonly account: StoredAccount;
    readonly chunkBytes: number;
  },
): Generator<StoragePart, undefined> {
  if (root === EMPTY_ROOT) return;
  let slots: ChunkSlot[] = [];
  let bytes = 0;
  for (const [entry, hasMore] of withMore(
    entriesFrom(tries.storageOf(key), { root, start: ZERO_HASH }),
  )) {
    const slot = findPreimage(entry.key);
    slots.push({
      key: hexToBytes(entry.key),
      ...(slot !== undefined && { slot }),
      value: decodeSlotValue(entry.value),
    });
    bytes += KEY_BYTES + entry.value.length;
    if (hasMore && bytes < chunkBytes) continue;
    yield { slots, bytes, hasMore };
    slots = [];
    bytes = 0;
  }
}

/** Items, each with whether another one follows. */
function* withMore<T>(items: Iterable<T>): Generator<readonly [item: T, hasMore: boolean]> {
  let before: { readonly item: T } | undefined;
  for (const item of items) {
    if (before !== undefined) yield [before.item, true];
    before = { item };
  }
  if (before !== undefined) yield [before.item, false];
}
