import { type Compatibility, toQuantity } from "@plinth/core";
import { differencesOf, type EncodedLog, type FoundLog, TOPIC_DISTANCE } from "@plinth/kit-rpc";

const ADDRESS_BYTES = 20;
const TOPIC_BYTES = 32;
const BEFORE_ADDRESS = '{"address":"0x';
const BEFORE_TOPICS = '","topics":[';
const BEFORE_TOPIC = '"0x';
const BETWEEN_TOPICS = '",';
const BEFORE_DATA = '],"data":"0x';
const END = Buffer.from('","removed":false},');
const END_REMOVED = Buffer.from('","removed":true},');
const DIGITS = Buffer.from("0123456789abcdef");
/** Where the digits of the first topic are, and how far those of the next one are from them. */
const FIRST_TOPIC =
  BEFORE_ADDRESS.length + 2 * ADDRESS_BYTES + BEFORE_TOPICS.length + BEFORE_TOPIC.length;
const NEXT_TOPIC = 2 * TOPIC_BYTES + BETWEEN_TOPICS.length + BEFORE_TOPIC.length;
/** The digits of the largest index of a log, and the text after them. */
const MAX_TAIL_LENGTH = Number.MAX_SAFE_INTEGER.toString(16).length + END.length;

/** The text that was written last. */
interface Written {
  readonly log: EncodedLog;
  readonly at: number;
  readonly shared: Buffer;
  readonly indexLength: number;
  readonly isRemoved: boolean;
}

/**
 * The logs of a search as JSON, exactly as `JSON.stringify` writes their objects, separated by commas, between two other
 * texts.
 *
 * Searches find thousands: digits are written from the bytes of a log, where they differ from those of the log before it.
 */
export function encodeLogs(
  logs: readonly FoundLog[],
  compatibility: Compatibility,
  { before, after }: { readonly before: string; readonly after: string },
): Buffer {
  const [first] = logs;
  if (first === undefined) return Buffer.from(before + after);
  const writer = new LogsWriter(first, compatibility);
  writer.begin(before, logs);
  for (const log of logs) writer.write(log);
  return writer.end(after);
}

class LogsWriter {
  readonly #showsBlockTimestamp: boolean;
  readonly #pairs = getDigitPairs();
  /** The texts before the digits of the data, by number of topics. */
  readonly #heads: Buffer[] = [];
  /** Whose members `#shared` has: those that logs of one transaction share. */
  #sharedBy: FoundLog;
  #shared: Buffer;
  /** The log of the same block that was written last. */
  #last: Written | undefined;
  #sourceBytes: Uint8Array;
  #source: DataView;
  #target = Buffer.alloc(0);
  #targetView = viewOf(this.#target);
  #at = 0;

  constructor(first: FoundLog, compatibility: Compatibility) {
    this.#showsBlockTimestamp = differencesOf(compatibility).showsBlockTimestamp;
    this.#sharedBy = first;
    this.#shared = this.#sharedOf(first);
    this.#sourceBytes = first.log.bytes;
    this.#source = viewOf(this.#sourceBytes);
  }

  /** Makes room for logs whose transactions have no longer numbers than the first one. */
  begin(text: string, logs: readonly FoundLog[]): void {
    let size = text.length;
    for (const log of logs) size += this.#maxSize(log);
    this.#reserve(size);
    this.#writeText(text);
  }

  /** Writes a log and a comma. */
  write(found: FoundLog): void {
    const { log, header, transactionHash } = found;
    const other = this.#sharedBy;
    if (header.hash !== other.header.hash || transactionHash !== other.transactionHash) {
      this.#sharedBy = found;
      this.#shared = this.#sharedOf(found);
    }
    if (log.bytes !== this.#sourceBytes) {
      this.#sourceBytes = log.bytes;
      this.#source = viewOf(log.bytes);
      this.#last = undefined;
    }
    this.#reserve(this.#maxSize(found));
    const indexLength = countDigits(found.logIndex);
    const last = this.#last;
    const at = this.#at;
    if (last !== undefined && this.#hasShapeOf(last, found, indexLength)) {
      this.#at += at - last.at;
      this.#target.copyWithin(at, last.at, at);
      this.#writeChanges(log, last.log, at);
    } else {
      this.#writeWhole(found, indexLength);
    }
    const tail = found.isRemoved ? END_REMOVED : END;
    this.#writeIndex(found.logIndex, this.#at - tail.length);
    const { isRemoved } = found;
    this.#last = { log, at, shared: this.#shared, indexLength, isRemoved };
  }

  /** Whether the text of a log is the one of the last log, but for digits. */
  #hasShapeOf(last: Written, { log, isRemoved }: FoundLog, indexLength: number): boolean {
    return (
      last.log.topicCount === log.topicCount &&
      last.log.dataEnd - last.log.dataAt === log.dataEnd - log.dataAt &&
      last.shared === this.#shared &&
      last.indexLength === indexLength &&
      last.isRemoved === isRemoved
    );
  }

  /** Writes a text instead of the last comma. */
  end(text: string): Buffer {
    this.#at -= 1;
    this.#reserve(text.length);
    this.#writeText(text);
    return this.#target.subarray(0, this.#at);
  }

  /** Writes a text, with any index. */
  #writeWhole({ log, isRemoved }: FoundLog, indexLength: number): void {
    const { addressAt, topicsAt, topicCount, dataAt, dataEnd } = log;
    const start = this.#at;
    this.#writeBytes(this.#headOf(topicCount));
    this.#writeDigits(addressAt, ADDRESS_BYTES, start + BEFORE_ADDRESS.length);
    for (let topic = 0; topic < topicCount; topic++) {
      const at = start + FIRST_TOPIC + topic * NEXT_TOPIC;
      this.#writeDigits(topicsAt + topic * TOPIC_DISTANCE, TOPIC_BYTES, at);
    }
    this.#writeDigits(dataAt, dataEnd - dataAt, this.#at);
    this.#at += 2 * (dataEnd - dataAt);
    this.#writeBytes(this.#shared);
    this.#at += indexLength;
    this.#writeBytes(isRemoved ? END_REMOVED : END);
  }

  /** Writes the values of a log into a copy of the text of another one, where they differ. */
  #writeChanges(log: EncodedLog, other: EncodedLog, start: number): void {
    const { addressAt, topicsAt, topicCount, dataAt, dataEnd } = log;
    if (!this.#isSame(addressAt, other.addressAt, ADDRESS_BYTES)) {
      this.#writeDigits(addressAt, ADDRESS_BYTES, start + BEFORE_ADDRESS.length);
    }
    for (let topic = 0; topic < topicCount; topic++) {
      const at = topicsAt + topic * TOPIC_DISTANCE;
      if (this.#isSame(at, other.topicsAt + topic * TOPIC_DISTANCE, TOPIC_BYTES)) continue;
      this.#writeDigits(at, TOPIC_BYTES, start + FIRST_TOPIC + topic * NEXT_TOPIC);
    }
    this.#writeDigits(dataAt, dataEnd - dataAt, start + this.#headOf(topicCount).length);
  }

  /** Writes the digits of an index before a position. */
  #writeIndex(index: number, end: number): void {
    let rest = index;
    let at = end;
    do {
      at -= 1;
      this.#target[at] = DIGITS[rest % 16] ?? 0;
      rest = Math.floor(rest / 16);
    } while (rest > 0);
  }

  /** The JSON of a log of this transaction is not longer. */
  #maxSize({ log: { topicCount, dataAt, dataEnd } }: FoundLog): number {
    const head = this.#headOf(topicCount).length;
    return head + 2 * (dataEnd - dataAt) + this.#shared.length + MAX_TAIL_LENGTH;
  }

  #reserve(size: number): void {
    const needed = this.#at + size;
    if (needed <= this.#target.length) return;
    const written = this.#target.subarray(0, this.#at);
    // Nothing is written yet, or more will follow that is longer than expected.
    this.#target = Buffer.allocUnsafe(written.length === 0 ? needed : 2 * needed);
    this.#target.set(written);
    this.#targetView = viewOf(this.#target);
  }

  #headOf(topicCount: number): Buffer {
    this.#heads[topicCount] ??= createHead(topicCount);
    return this.#heads[topicCount];
  }

  #sharedOf({ header, transactionHash, transactionIndex }: FoundLog): Buffer {
    const time = this.#showsBlockTimestamp
      ? `"blockTimestamp":"${toQuantity(header.timestamp)}",`
      : "";
    return Buffer.from(
      `","blockNumber":"${toQuantity(header.number)}","transactionHash":"${transactionHash}","transactionIndex":"${toQuantity(transactionIndex)}","blockHash":"${header.hash}",${time}"logIndex":"0x`,
    );
  }

  /** Writes a few characters, for which a native call would take longer. */
  #writeText(text: string): void {
    for (let index = 0; index < text.length; index++) {
      this.#target[this.#at + index] = text.charCodeAt(index);
    }
    this.#at += text.length;
  }

  #writeBytes(bytes: Uint8Array): void {
    this.#target.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Whether values of the block are equal: four bytes at a time, from the end, where most values differ. */
  #isSame(at: number, otherAt: number, length: number): boolean {
    const source = this.#source;
    for (let index = length - 4; index >= 0; index -= 4) {
      if (source.getInt32(at + index) !== source.getInt32(otherAt + index)) return false;
    }
    return true;
  }

  /** Writes the digits of bytes of the block: a table of two bytes takes less than half of the time of one byte. */
  #writeDigits(from: number, length: number, at: number): void {
    const source = this.#source;
    const target = this.#targetView;
    const pairs = this.#pairs;
    const end = from + length;
    let index = from;
    let to = at;
    for (; index + 4 <= end; index += 4) {
      const bytes = source.getUint32(index);
      target.setUint32(to, pairs[bytes >>> 16] ?? 0, true);
      target.setUint32(to + 4, pairs[bytes & 0xffff] ?? 0, true);
      to += 8;
    }
    for (; index < end; index++) {
      // The digits of the higher byte, which is zero, come first.
      target.setUint16(to, (pairs[source.getUint8(index)] ?? 0) >>> 16, true);
      to += 2;
    }
  }
}

/** The members up to the digits of the data, with zeros instead of other digits. */
function createHead(topicCount: number): Buffer {
  const address = "0".repeat(2 * ADDRESS_BYTES);
  const topic = `${BEFORE_TOPIC}${"0".repeat(2 * TOPIC_BYTES)}`;
  const topics = Array<string>(topicCount).fill(topic).join(BETWEEN_TOPICS);
  const end = topicCount === 0 ? BEFORE_DATA : `"${BEFORE_DATA}`;
  return Buffer.from(BEFORE_ADDRESS + address + BEFORE_TOPICS + topics + end);
}

function countDigits(index: number): number {
  let count = 1;
  for (let rest = index; rest >= 16; rest /= 16) count += 1;
  return count;
}

let digitPairs: Uint32Array | undefined;

/** The four hex digits of every two bytes, the first one in the lowest byte: other orders are written half as fast. */
function getDigitPairs(): Uint32Array {
  digitPairs ??= Uint32Array.from({ length: 2 ** 16 }, (_, value) =>
    Buffer.from(value.toString(16).padStart(4, "0")).readUInt32LE(),
  );
  return digitPairs;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
