import {
  type Address,
  decodeRlp,
  encodeRlp,
  type Hash,
  hexToBytes,
  type Log,
  type Rlp,
  toHex,
} from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";

/** The outcome of a private transaction, apart from the state of its group. */
export interface PrivateReceipt {
  /** 2 in a flexible group if it is invalid and was not executed. */
  readonly status: 0 | 1 | 2;
  readonly logs: readonly Log[];
  readonly output: Uint8Array;
  /** The revert data. */
  readonly revertReason?: Uint8Array | undefined;
  /** Short reason for the failure. */
  readonly failure?: string | undefined;
  readonly group: Uint8Array;
}

/** The effect of a block on a group. */
export interface GroupBlock {
  readonly root: Hash;
  /** The markers of the transactions that changed the state, in order. */
  readonly markers: readonly Hash[];
  /** State roots of a flexible group after each of them. */
  readonly roots?: readonly Hash[];
}

/** A pending private transaction: fetched from the manager, not yet executed. */
export interface PendingTransaction {
  readonly marker: Hash;
  /** Transaction index of the marker in the block. */
  readonly index: number;
  readonly payload: Uint8Array;
  /**
   * Key at the manager of the history that it carries for the members it adds to its flexible
   * group.
   */
  readonly historyKey: Uint8Array | undefined;
}

/** The stored form: many markers of a block can name one payload, which is stored once. */
export interface StoredItem {
  readonly marker: Hash;
  /** The payload, or the index in the block of the marker with which it is stored. */
  readonly payload: Uint8Array | number;
  readonly history?:
    | { readonly key: Uint8Array; readonly payload: Uint8Array | number }
    | undefined;
}

/** Position in the order of a group; branches of the chain are kept apart. */
export interface GroupPlace {
  readonly group: Uint8Array;
  readonly number: bigint;
  readonly blockHash: Hash;
}

/** Progress of the search for markers. */
export interface Cursor {
  readonly number: bigint;
  readonly hash: Hash;
}

const GROUP_BYTES = 32;
const NUMBER_BYTES = 8;
const HASH_BYTES = 32;
const INDEX_BYTES = 4;
const PLACE_BYTES = GROUP_BYTES + NUMBER_BYTES + HASH_BYTES;

export function receiptKey(blockHash: Hash, marker: Hash): Uint8Array {
  return join(hexToBytes(blockHash), hexToBytes(marker));
}

/**
 * Same for a transaction that came with a history: anyone can claim any marker for a group, so
 * groups are kept apart.
 */
export function pastReceiptKey(blockHash: Hash, marker: Hash, group: Uint8Array): Uint8Array {
  return join(receiptKey(blockHash, marker), group);
}

export function encodePrivateReceipt(receipt: PrivateReceipt): Uint8Array {
  const { status, logs, output, revertReason, failure, group } = receipt;
  return encodeRlp([
    Uint8Array.of(status),
    logs.map(({ address, topics, data }) => [
      hexToBytes(address),
      topics.map((topic) => hexToBytes(topic)),
      data,
    ]),
    output,
    revertReason === undefined ? [] : [revertReason],
    Buffer.from(failure ?? ""),
    group,
  ]);
}

export function decodePrivateReceipt(bytes: Uint8Array): PrivateReceipt {
  const fields = new Fields("private receipt", decodeRlp(bytes));
  const status = readStatus(fields.fixed("status", 1)[0]);
  const logs = fields.list("logs").map(readLog);
  const output = fields.bytes("output");
  const [revertReason] = fields.list("revertReason");
  const failure = Buffer.from(fields.bytes("failure")).toString();
  const group = fields.fixed("group", GROUP_BYTES);
  return {
    status,
    logs,
    output,
    group,
    ...(revertReason instanceof Uint8Array ? { revertReason } : {}),
    ...(failure === "" ? {} : { failure }),
  };
}

export function placeKey({ group, number, blockHash }: GroupPlace): Uint8Array {
  return join(blockKey(group, number), hexToBytes(blockHash));
}

/** The smallest key of a group's block with this number, for any hash. */
export function blockKey(group: Uint8Array, number: bigint): Uint8Array {
  return join(group, numberBytes(number));
}

export function readPlaceKey(key: Uint8Array): GroupPlace {
  return {
    group: key.slice(0, GROUP_BYTES),
    number: Buffer.from(key).readBigUInt64BE(GROUP_BYTES),
    blockHash: toHex(key.slice(GROUP_BYTES + NUMBER_BYTES, PLACE_BYTES)),
  };
}

export function encodeGroupBlock({ root, markers, roots = [] }: GroupBlock): Uint8Array {
  const afterEach = roots.length === 0 ? [] : [roots.map((hash) => hexToBytes(hash))];
  return encodeRlp([hexToBytes(root), markers.map((marker) => hexToBytes(marker)), ...afterEach]);
}

export function decodeGroupBlock(bytes: Uint8Array): GroupBlock {
  const fields = new Fields("block of a group", decodeRlp(bytes));
  const block = { root: fields.hash("root"), markers: fields.hashes("markers") };
  return fields.hasMore() ? { ...block, roots: fields.hashes("roots") } : block;
}

/** Decodes only the root: a block may have hundreds of markers. */
export function decodeGroupRoot(bytes: Uint8Array): GroupBlock["root"] {
  return new Fields("block of a group", decodeRlp(bytes)).hash("root");
}

/** The key of a pending transaction: the position of its block, followed by its index in it. */
export function pendingKey(place: GroupPlace, index: number): Uint8Array {
  const bytes = Buffer.alloc(INDEX_BYTES);
  bytes.writeUInt32BE(index);
  return join(placeKey(place), bytes);
}

export function readPendingKey(key: Uint8Array): GroupPlace & { readonly index: number } {
  return { ...readPlaceKey(key), index: Buffer.from(key).readUInt32BE(PLACE_BYTES) };
}

export function encodePendingItem({ marker, payload, history }: StoredItem): Uint8Array {
  const before = history === undefined ? [] : [history.key, keptOf(history.payload)];
  return encodeRlp([hexToBytes(marker), keptOf(payload), ...before]);
}

export function decodePendingItem(bytes: Uint8Array): StoredItem {
  const fields = new Fields("pending private transaction", decodeRlp(bytes));
  const marker = fields.hash("marker");
  const payload = readKept(fields.item("payload"));
  if (!fields.hasMore()) return { marker, payload };
  const key = fields.bytes("historyKey");
  return { marker, payload, history: { key, payload: readKept(fields.item("history")) } };
}

function keptOf(payload: Uint8Array | number): Rlp {
  return typeof payload === "number" ? [scalarBytes(BigInt(payload))] : payload;
}

function readKept(kept: Rlp): Uint8Array | number {
  if (kept instanceof Uint8Array) return kept;
  return Number(new Fields("payload of another marker", kept).uint64("index"));
}

export function encodeCursor({ number, hash }: Cursor): Uint8Array {
  return join(numberBytes(number), hexToBytes(hash));
}

export function decodeCursor(bytes: Uint8Array): Cursor {
  const number = Buffer.from(bytes).readBigUInt64BE(0);
  return { number, hash: toHex(bytes.slice(NUMBER_BYTES)) };
}

function readLog(item: Rlp): Log {
  const fields = new Fields("private log", item);
  const address: Address = fields.address("address");
  return { address, topics: fields.hashes("topics"), data: fields.bytes("data") };
}

function readStatus(value: number | undefined): PrivateReceipt["status"] {
  return value === 1 || value === 2 ? value : 0;
}

function numberBytes(number: bigint): Uint8Array {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64BE(number);
  return bytes;
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
