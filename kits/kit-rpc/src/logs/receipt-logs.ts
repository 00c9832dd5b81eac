import { type Address, type Hash, type Log, RlpError, toHex } from "@plinth/core";
import { BLOOM_BYTES, type Bloom } from "@plinth/core/primitives";

/** The position of a log in the encoded receipts of its block. */
export interface LogPlace {
  readonly bytes: Uint8Array;
  /** The first byte of the address. */
  readonly addressAt: number;
  /** The first byte of the first topic; the others follow at distances of `TOPIC_DISTANCE`. */
  readonly topicsAt: number;
  readonly topicCount: number;
  readonly dataAt: number;
  readonly dataEnd: number;
  readonly transactionIndex: number;
  /** The index within the block. */
  readonly logIndex: number;
}

/** What is searched for. */
export interface LogTest {
  /** Whether logs with the bloom at an offset may match; never `false` if they do. */
  mayMatch(bloom: Bloom, offset: number): boolean;
  /** Whether the log at a place matches; the place changes after the call. */
  matchesAt(place: LogPlace): boolean;
}

/** The number of bytes from one topic of an encoded log to the next one. */
export const TOPIC_DISTANCE = 33;

const ADDRESS_BYTES = 20;
const HASH_BYTES = 32;
const UINT64_BYTES = 8;
const STRING_PREFIX = 0x80;
const LIST_PREFIX = 0xc0;
const ADDRESS_PREFIX = STRING_PREFIX + ADDRESS_BYTES;
const TOPIC_PREFIX = STRING_PREFIX + HASH_BYTES;
/** Lengths up to this are part of the prefix; longer ones follow it. */
const MAX_SHORT_LENGTH = 55;
const MAX_TYPE = 4;

/** A log in the encoded receipts of its block; its members are decoded when they are read. */
export class EncodedLog implements Log, LogPlace {
  readonly bytes: Uint8Array;
  readonly addressAt: number;
  readonly topicsAt: number;
  readonly topicCount: number;
  readonly dataAt: number;
  readonly dataEnd: number;
  readonly transactionIndex: number;
  readonly logIndex: number;

  constructor(place: LogPlace) {
    this.bytes = place.bytes;
    this.addressAt = place.addressAt;
    this.topicsAt = place.topicsAt;
    this.topicCount = place.topicCount;
    this.dataAt = place.dataAt;
    this.dataEnd = place.dataEnd;
    this.transactionIndex = place.transactionIndex;
    this.logIndex = place.logIndex;
  }

  get address(): Address {
    return toHex(this.bytes.subarray(this.addressAt, this.addressAt + ADDRESS_BYTES));
  }

  get topics(): readonly Hash[] {
    return Array.from({ length: this.topicCount }, (_, index) => {
      const at = this.topicsAt + index * TOPIC_DISTANCE;
      return toHex(this.bytes.subarray(at, at + HASH_BYTES));
    });
  }

  get data(): Uint8Array {
    // A copy also of a Buffer, whose `slice` shares its memory.
    return new Uint8Array(this.bytes.subarray(this.dataAt, this.dataEnd));
  }
}

/**
 * The matching logs of the encoded receipts of a block, in order; only these are decoded.
 *
 * Throws `RlpError` for anything but the canonical encoding of receipts, also where nothing matches.
 */
export function findEncodedLogs(receipts: Uint8Array, test: LogTest): readonly EncodedLog[] {
  return new ReceiptsWalk(receipts).find(test);
}

/** Reads receipts in place, as strictly as they are decoded; it is at one log after the other. */
class ReceiptsWalk implements LogPlace {
  readonly bytes: Uint8Array;
  addressAt = 0;
  topicsAt = 0;
  topicCount = 0;
  dataAt = 0;
  dataEnd = 0;
  transactionIndex = 0;
  logIndex = 0;
  /** The first byte of the list, or of the bytes, that was opened last. */
  #start = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  find(test: LogTest): readonly EncodedLog[] {
    const found: EncodedLog[] = [];
    const { length } = this.bytes;
    const end = this.#openList(0, length);
    if (end !== length) throw malformed(end);
    for (let at = this.#start; at < end; this.transactionIndex++) {
      at = this.#findInReceipt(at, end, { test, found });
    }
    return found;
  }

  /** Returns the end of the receipt. */
  #findInReceipt(
    start: number,
    limit: number,
    { test, found }: { readonly test: LogTest; readonly found: EncodedLog[] },
  ): number {
    const { bytes } = this;
    const end = this.#openReceipt(start, limit);
    const gasAt = this.#readOutcome(this.#start, end);
    const bloomAt = this.#readGas(gasAt, end);
    const logsAt = this.#openBytes(bloomAt, end);
    if (logsAt - this.#start !== BLOOM_BYTES) throw malformed(bloomAt);
    const mayMatch = test.mayMatch(bytes, this.#start);
    if (this.#openList(logsAt, end) !== end) throw malformed(logsAt);
    for (let at = this.#start; at < end; this.logIndex++) {
      at = this.#readLog(at, end);
      if (mayMatch && test.matchesAt(this)) found.push(new EncodedLog(this));
    }
    return end;
  }

  /** Opens the fields of a receipt: bytes with its type and them, unless the type is 0. */
  #openReceipt(at: number, limit: number): number {
    if ((this.bytes[at] ?? 0) >= LIST_PREFIX) return this.#openList(at, limit);
    const end = this.#openBytes(at, limit);
    const typeAt = this.#start;
    const type = typeAt < end ? (this.bytes[typeAt] ?? 0) : 0;
    if (type === 0 || type > MAX_TYPE) throw malformed(typeAt);
    if (this.#openList(typeAt + 1, end) !== end) throw malformed(typeAt + 1);
    return end;
  }

  /** A status of 0 or 1, or a state root; returns its end, as the others do. */
  #readOutcome(at: number, limit: number): number {
    const end = this.#openBytes(at, limit);
    const length = end - this.#start;
    const isStatus = length === 0 || (length === 1 && this.bytes[this.#start] === 1);
    if (!isStatus && length !== HASH_BYTES) throw malformed(at);
    return end;
  }

  #readGas(at: number, limit: number): number {
    const end = this.#openBytes(at, limit);
    const length = end - this.#start;
    const hasLeadingZero = length > 0 && this.bytes[this.#start] === 0;
    if (hasLeadingZero || length > UINT64_BYTES) throw malformed(at);
    return end;
  }

  #readLog(start: number, limit: number): number {
    const { bytes } = this;
    const end = this.#openList(start, limit);
    if (bytes[this.#start] !== ADDRESS_PREFIX) throw malformed(this.#start);
    this.addressAt = this.#start + 1;
    const topicsEnd = this.#openList(this.addressAt + ADDRESS_BYTES, end);
    let at = this.#start;
    this.topicsAt = at + 1;
    this.topicCount = (topicsEnd - at) / TOPIC_DISTANCE;
    for (; at < topicsEnd; at += TOPIC_DISTANCE) {
      if (bytes[at] !== TOPIC_PREFIX) throw malformed(at);
    }
    if (at !== topicsEnd) throw malformed(at);
    this.dataEnd = this.#openBytes(at, end);
    this.dataAt = this.#start;
    if (this.dataEnd !== end) throw malformed(at);
    return end;
  }

  /** Returns the end of a list. */
  #openList(at: number, limit: number): number {
    const prefix = this.bytes[at] ?? 0;
    if (prefix < LIST_PREFIX) throw malformed(at);
    return this.#open(at, prefix - LIST_PREFIX, limit);
  }

  /** Returns the end of bytes. */
  #openBytes(at: number, limit: number): number {
    const prefix = this.bytes[at] ?? LIST_PREFIX;
    if (prefix >= LIST_PREFIX || at >= limit) throw malformed(at);
    if (prefix < STRING_PREFIX) {
      this.#start = at;
      return at + 1;
    }
    const end = this.#open(at, prefix - STRING_PREFIX, limit);
    const isOwnPrefix = end - at === 2 && (this.bytes[at + 1] ?? 0) < STRING_PREFIX;
    if (isOwnPrefix) throw malformed(at);
    return end;
  }

  #open(at: number, inPrefix: number, limit: number): number {
    let start = at + 1;
    let length = inPrefix;
    if (inPrefix > MAX_SHORT_LENGTH) {
      start += inPrefix - MAX_SHORT_LENGTH;
      length = longLength(this.bytes, at + 1, start);
    }
    const end = start + length;
    if (end > limit) throw malformed(at);
    this.#start = start;
    return end;
  }
}

function longLength(bytes: Uint8Array, from: number, to: number): number {
  let length = 0;
  // A length above 2^53 is inexact here, but exceeds the bytes anyway.
  for (let at = from; at < to; at++) length = length * 256 + (bytes[at] ?? 0);
  if (bytes[from] === 0 || length <= MAX_SHORT_LENGTH) throw malformed(from);
  return length;
}

function malformed(at: number): RlpError {
  return new RlpError(`receipts: not in their canonical encoding at byte ${at}`);
}
