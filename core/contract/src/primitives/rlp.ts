/** Bytes, or a list of such items. */
export type Rlp = Uint8Array | readonly Rlp[];

/** The bytes are not the RLP encoding of one item, or the item cannot be encoded. */
export class RlpError extends Error {
  override readonly name = "RlpError";
}

/** Maximum nesting depth of lists; nothing in Ethereum comes close. */
const MAX_DEPTH = 1024;

/**
 * Limit of items per input: a few are always allowed, and items of Ethereum are longer than this on
 * average (a log without topics and data has six bytes per item). Otherwise ten megabytes of single
 * bytes would become two gigabytes of objects.
 */
const MAX_SMALL_ITEMS = 65_536;
const MIN_ITEM_BYTES = 5;

/** Limit of items per input. */
export interface RlpLimits {
  /** Minimum average length of items. */
  readonly minItemBytes?: number;
  /** Number of items allowed regardless of length. */
  readonly smallItems?: number;
}

/** Lengths up to this are part of the prefix; longer ones follow it. */
const MAX_SHORT_LENGTH = 55;
const STRING_PREFIX = 0x80;
const LIST_PREFIX = 0xc0;

/**
 * Encodes an item, in time linear to its size however long its lists are.
 *
 * Throws `RlpError` for lists nested more than 1024 levels deep.
 */
export function encodeRlp(item: Rlp): Uint8Array {
  // The payload length of every list in encoding order, so that none is computed twice.
  const lengths: number[] = [];
  const output = new Uint8Array(measure(item, lengths, 0));
  new RlpWriter(output, lengths).write(item);
  return output;
}

/** Encodes a list of items that are encoded already. */
export function encodeRlpList(items: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const item of items) length += item.length;
  const start = prefixBytes(length);
  const output = new Uint8Array(start + length);
  writePrefix(output, 0, { prefix: LIST_PREFIX, length });
  let at = start;
  for (const item of items) {
    // Half the items of a trie's branch are single bytes, for which `set` costs more than the copy.
    if (item.length === 1) output[at] = item[0] ?? 0;
    else output.set(item, at);
    at += item.length;
  }
  return output;
}

/** The encoded length of an item; records the payload length of its lists. */
function measure(item: Rlp, lengths: number[], depth: number): number {
  if (item instanceof Uint8Array) {
    if (item.length === 1 && (item[0] ?? 0) < STRING_PREFIX) return 1;
    return prefixBytes(item.length) + item.length;
  }
  if (depth === MAX_DEPTH) throw tooDeep();
  const index = lengths.push(0) - 1;
  let length = 0;
  for (const child of item) length += measure(child, lengths, depth + 1);
  lengths[index] = length;
  return prefixBytes(length) + length;
}

function prefixBytes(length: number): number {
  return length <= MAX_SHORT_LENGTH ? 1 : 1 + lengthBytes(length);
}

function lengthBytes(length: number): number {
  let bytes = 1;
  for (let rest = Math.floor(length / 256); rest > 0; rest = Math.floor(rest / 256)) bytes += 1;
  return bytes;
}

/** Writes items one after another into an array of their total size. */
class RlpWriter {
  readonly #output: Uint8Array;
  readonly #lengths: readonly number[];
  #nextList = 0;
  #at = 0;

  constructor(output: Uint8Array, lengths: readonly number[]) {
    this.#output = output;
    this.#lengths = lengths;
  }

  write(item: Rlp): void {
    if (item instanceof Uint8Array) {
      this.#writeBytes(item);
      return;
    }
    const length = this.#lengths[this.#nextList] ?? 0;
    this.#nextList += 1;
    this.#at = writePrefix(this.#output, this.#at, { prefix: LIST_PREFIX, length });
    for (const child of item) this.write(child);
  }

  #writeBytes(bytes: Uint8Array): void {
    const isOwnPrefix = bytes.length === 1 && (bytes[0] ?? 0) < STRING_PREFIX;
    if (!isOwnPrefix) {
      const { length } = bytes;
      this.#at = writePrefix(this.#output, this.#at, { prefix: STRING_PREFIX, length });
    }
    this.#output.set(bytes, this.#at);
    this.#at += bytes.length;
  }
}

/** Writes the prefix of bytes or a list, and returns its end. */
function writePrefix(
  output: Uint8Array,
  start: number,
  { prefix, length }: { readonly prefix: number; readonly length: number },
): number {
  if (length <= MAX_SHORT_LENGTH) {
    output[start] = prefix + length;
    return start + 1;
  }
  const end = start + prefixBytes(length);
  output[start] = prefix + MAX_SHORT_LENGTH + (end - start - 1);
  let rest = length;
  for (let at = end - 1; at > start; at--) {
    output[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return end;
}

/**
 * Decodes the single item of the input, in linear time.
 *
 * Throws `RlpError` for empty input, trailing bytes, a non-canonical encoding, lists nested more
 * than 1024 levels deep and far more items than Ethereum puts into an input of this length. The
 * decoder of `@ethereumjs/rlp` copies the rest of the input on every level, which lets 400 kB from
 * a peer block the thread for seconds.
 */
export function decodeRlp(
  bytes: Uint8Array,
  { minItemBytes = MIN_ITEM_BYTES, smallItems = MAX_SMALL_ITEMS }: RlpLimits = {},
): Rlp {
  // A plain view: `slice` of a Buffer would share the caller's memory.
  const input = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  itemsLeft = smallItems + input.length / minItemBytes;
  const { item, end } = readItem(input, { at: 0, limit: input.length, depth: 0 });
  if (end !== input.length) {
    throw new RlpError(`RLP: ${input.length - end} bytes follow the item, expected none`);
  }
  return item;
}

/** The first item of a list, without decoding the others. */
export function decodeFirst(bytes: Uint8Array): Rlp {
  const { isList, start, end } = readHeader(bytes, { at: 0, limit: bytes.length, depth: 0 });
  if (!isList) throw new RlpError("RLP: bytes, expected a list");
  const first = readHeader(bytes, { at: start, limit: end, depth: 1 });
  return decodeRlp(bytes.subarray(start, first.end));
}

/**
 * The items of the single list of the input, each as a view of its encoding; their content is not
 * decoded.
 *
 * Throws `RlpError` for an item that `decodeRlp` would reject for its length or its prefix.
 */
export function* rlpItems(bytes: Uint8Array): Generator<Uint8Array, undefined> {
  const { isList, start, end } = readHeader(bytes, { at: 0, limit: bytes.length, depth: 0 });
  if (!isList) throw new RlpError("RLP: bytes, expected a list");
  if (end !== bytes.length) {
    throw new RlpError(`RLP: ${bytes.length - end} bytes follow the item, expected none`);
  }
  for (let at = start; at < end; ) {
    const item = readHeader(bytes, { at, limit: end, depth: 1 });
    yield bytes.subarray(at, item.end);
    at = item.end;
  }
}

/** The length of the item that starts these bytes; it may exceed them. */
export function rlpLength(bytes: Uint8Array): number {
  return readHeader(bytes, { at: 0, limit: Number.POSITIVE_INFINITY, depth: 0 }).end;
}

/** State of the decoding in progress, which is synchronous. */
let itemsLeft = 0;

interface Position {
  readonly at: number;
  /** The end of the enclosing list. */
  readonly limit: number;
  readonly depth: number;
}

function readItem(
  input: Uint8Array,
  position: Position,
): { readonly item: Rlp; readonly end: number } {
  const { isList, start, end } = readHeader(input, position);
  itemsLeft -= 1;
  if (itemsLeft < 0) throw new RlpError(`RLP: too many items for ${input.length} bytes`);
  if (!isList) return { item: input.slice(start, end), end };

  const depth = position.depth + 1;
  if (depth > MAX_DEPTH) throw tooDeep();
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
    throw new RlpError(`RLP: the item at byte ${at} ends at ${end}, beyond its limit ${limit}`);
  }
  if (!isList && length === 1 && (input[start] ?? 0) < STRING_PREFIX) {
    throw new RlpError(`RLP: the byte at ${start} has an unnecessary prefix`);
  }
  return { isList, start, end };
}

function readLength(input: Uint8Array, from: number, to: number): number {
  if (input[from] === 0) throw new RlpError(`RLP: the length at byte ${from} has leading zeros`);
  // A length above 2^53 is inexact here, but exceeds any input anyway.
  const length = input.subarray(from, to).reduce((sum, byte) => sum * 256 + byte, 0);
  if (length <= MAX_SHORT_LENGTH) {
    throw new RlpError(`RLP: the length at byte ${from} belongs in the prefix`);
  }
  return length;
}

function tooDeep(): RlpError {
  return new RlpError(`RLP: lists nested more than ${MAX_DEPTH} levels deep`);
}
