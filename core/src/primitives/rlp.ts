import { type Input, RLP } from "@ethereumjs/rlp";

/** Bytes, or a list of such items. */
export type Rlp = Uint8Array | readonly Rlp[];

/** The bytes are not the RLP encoding of one item, or the item cannot be encoded. */
export class RlpError extends Error {
  override readonly name = "RlpError";
}

/** How deep lists may be nested; nothing Ethereum writes comes near it. */
const MAX_DEPTH = 1024;

/** Lengths up to this are part of the prefix; longer ones follow it. */
const MAX_SHORT_LENGTH = 55;
const STRING_PREFIX = 0x80;
const LIST_PREFIX = 0xc0;

/** Writes an item. */
export function encodeRlp(item: Rlp): Uint8Array {
  try {
    // The library only reads, it just does not say `readonly`.
    const encoded = RLP.encode(item as Input);
    return encoded === item ? new Uint8Array(item) : encoded;
  } catch (cause) {
    // A stack overflow: the library calls itself for every level and spreads every list.
    throw new RlpError("RLP: the item is nested too deep or too long", { cause });
  }
}

/**
 * Reads the one item the bytes consist of, in time linear to their number.
 *
 * No bytes, bytes after the item, an encoding that is not the shortest and lists nested more than
 * 1024 levels deep are refused with `RlpError`. The decoder of `@ethereumjs/rlp` copies the rest of the
 * input on every level, which lets 400 kB from a peer block the thread for seconds.
 */
export function decodeRlp(bytes: Uint8Array): Rlp {
  // A plain view: `slice` of a Buffer would share the caller's memory.
  const input = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { item, end } = readItem(input, { at: 0, limit: input.length, depth: 0 });
  if (end !== input.length) {
    throw new RlpError(`RLP: ${input.length - end} bytes follow the item, expected none`);
  }
  return item;
}

/** How many bytes the item takes that these bytes begin with; it may go on beyond them. */
export function rlpLength(bytes: Uint8Array): number {
  return readHeader(bytes, { at: 0, limit: Number.POSITIVE_INFINITY, depth: 0 }).end;
}

interface Position {
  readonly at: number;
  /** Where the enclosing list ends. */
  readonly limit: number;
  readonly depth: number;
}

function readItem(
  input: Uint8Array,
  position: Position,
): { readonly item: Rlp; readonly end: number } {
  const { isList, start, end } = readHeader(input, position);
  if (!isList) return { item: input.slice(start, end), end };

  const depth = position.depth + 1;
  if (depth > MAX_DEPTH) throw new RlpError(`RLP: lists nested more than ${MAX_DEPTH} levels deep`);
  const items: Rlp[] = [];
  for (let at = start; at < end; ) {
    const next = readItem(input, { at, limit: end, depth });
    items.push(next.item);
    at = next.end;
  }
  return { item: items, end };
}

function readHeader(
  input: Uint8Array,
  { at, limit }: Position,
): { readonly isList: boolean; readonly start: number; readonly end: number } {
  const prefix = input[at];
  if (prefix === undefined) throw new RlpError("RLP: no bytes, expected one item");
  if (prefix < STRING_PREFIX) return { isList: false, start: at, end: at + 1 };

  const isList = prefix >= LIST_PREFIX;
  const inPrefix = prefix - (isList ? LIST_PREFIX : STRING_PREFIX);
  const isShort = inPrefix <= MAX_SHORT_LENGTH;
  const start = at + 1 + (isShort ? 0 : inPrefix - MAX_SHORT_LENGTH);
  const length = isShort ? inPrefix : readLength(input, at + 1, start);
  const end = start + length;
  if (end > limit) {
    throw new RlpError(`RLP: the item at byte ${at} ends at ${end}, its space at ${limit}`);
  }
  if (!isList && length === 1 && (input[start] ?? 0) < STRING_PREFIX) {
    throw new RlpError(`RLP: the byte at ${start} has a prefix it does not need`);
  }
  return { isList, start, end };
}

function readLength(input: Uint8Array, from: number, to: number): number {
  if (input[from] === 0) throw new RlpError(`RLP: the length at byte ${from} has leading zeros`);
  // A length above 2^53 loses digits here, but is beyond any input all the same.
  const length = input.subarray(from, to).reduce((sum, byte) => sum * 256 + byte, 0);
  if (length <= MAX_SHORT_LENGTH) {
    throw new RlpError(`RLP: the length at byte ${from} belongs into the prefix`);
  }
  return length;
}
