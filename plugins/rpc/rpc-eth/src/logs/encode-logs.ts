import type { Compatibility } from "@plinth/core";
import { JsonPieces } from "@plinth/core/rpc";
import { type EncodedLog, type FoundLog, TOPIC_DISTANCE } from "@plinth/kit-rpc";
import {
  ADDRESS_AT,
  ADDRESS_BYTES,
  countDigits,
  FIRST_TOPIC_AT,
  findRuns,
  headOf,
  type LogRun,
  lengthOf,
  NEXT_TOPIC,
  TOPIC_BYTES,
  tailOf,
} from "./log-texts.js";
import { giveBackPage, takePage } from "./pages.js";

const DIGITS = Buffer.from("0123456789abcdef");

/** The texts before the first log and after the last one. */
interface Around {
  readonly before: string;
  readonly after: string;
}

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
  around: Around,
): JsonPieces {
  const runs = findRuns(logs, compatibility);
  // The last log has no comma.
  let byteLength = around.before.length + around.after.length - (logs.length > 0 ? 1 : 0);
  let longest = 0;
  for (const { logs, shared } of runs) {
    for (const log of logs) {
      const length = lengthOf(log) + shared.length;
      byteLength += length;
      longest = Math.max(longest, length);
    }
  }
  return new JsonPieces(byteLength, () => writeLogs(runs, longest, around));
}

function* writeLogs(
  runs: readonly LogRun[],
  longest: number,
  { before, after }: Around,
): Generator<Uint8Array> {
  const most = before.length + longest + after.length;
  const page = takePage(most);
  try {
    const writer = new LogsWriter(page);
    writer.writeText(before);
    for (const { logs, shared } of runs) {
      for (const log of logs) {
        if (writer.room < most) yield writer.take();
        writer.write(log, shared);
      }
    }
    if (runs.length > 0) writer.dropComma();
    writer.writeText(after);
    yield writer.take();
  } finally {
    giveBackPage(page);
  }
}

class LogsWriter {
  readonly #pairs = getDigitPairs();
  readonly #target: Buffer;
  readonly #targetView: DataView;
  #at = 0;
  /** The log of the same block that was written last, if it still is in the page. */
  #last: Written | undefined;
  #sourceBytes: Uint8Array = new Uint8Array();
  #source = viewOf(this.#sourceBytes);

  constructor(target: Buffer) {
    this.#target = target;
    this.#targetView = viewOf(target);
  }

  /** How many bytes the page has left. */
  get room(): number {
    return this.#target.length - this.#at;
  }

  /** What is written; the page is written from its start then. */
  take(): Uint8Array {
    const written = this.#target.subarray(0, this.#at);
    this.#at = 0;
    this.#last = undefined;
    return written;
  }

  /** Writes a log and a comma. */
  write(found: FoundLog, shared: Buffer): void {
    const { log } = found;
    if (log.bytes !== this.#sourceBytes) {
      this.#sourceBytes = log.bytes;
      this.#source = viewOf(log.bytes);
      this.#last = undefined;
    }
    const indexLength = countDigits(found.logIndex);
    const last = this.#last;
    const at = this.#at;
    if (last !== undefined && last.shared === shared && hasShapeOf(last, found, indexLength)) {
      this.#at += at - last.at;
      this.#target.copyWithin(at, last.at, at);
      this.#writeChanges(log, last.log, at);
    } else {
      this.#writeWhole(found, { shared, indexLength });
    }
    this.#writeIndex(found.logIndex, this.#at - tailOf(found.isRemoved).length);
    this.#last = { log, at, shared, indexLength, isRemoved: found.isRemoved };
  }

  /** Takes the comma after the last log back. */
  dropComma(): void {
    this.#at -= 1;
  }

  /** Writes a few characters, for which a native call would take longer. */
  writeText(text: string): void {
    for (let index = 0; index < text.length; index++) {
      this.#target[this.#at + index] = text.charCodeAt(index);
    }
    this.#at += text.length;
  }

  /** Writes a text, with any index. */
  #writeWhole(
    { log, isRemoved }: FoundLog,
    { shared, indexLength }: { readonly shared: Buffer; readonly indexLength: number },
  ): void {
    const { addressAt, topicsAt, topicCount, dataAt, dataEnd } = log;
    const start = this.#at;
    this.#writeBytes(headOf(topicCount));
    this.#writeDigits(addressAt, ADDRESS_BYTES, start + ADDRESS_AT);
    for (let topic = 0; topic < topicCount; topic++) {
      const at = start + FIRST_TOPIC_AT + topic * NEXT_TOPIC;
      this.#writeDigits(topicsAt + topic * TOPIC_DISTANCE, TOPIC_BYTES, at);
    }
    this.#writeDigits(dataAt, dataEnd - dataAt, this.#at);
    this.#at += 2 * (dataEnd - dataAt);
    this.#writeBytes(shared);
    this.#at += indexLength;
    this.#writeBytes(tailOf(isRemoved));
  }

  /** Writes the values of a log into a copy of the text of another one, where they differ. */
  #writeChanges(log: EncodedLog, other: EncodedLog, start: number): void {
    const { addressAt, topicsAt, topicCount, dataAt, dataEnd } = log;
    if (!this.#isSame(addressAt, other.addressAt, ADDRESS_BYTES)) {
      this.#writeDigits(addressAt, ADDRESS_BYTES, start + ADDRESS_AT);
    }
    for (let topic = 0; topic < topicCount; topic++) {
      const at = topicsAt + topic * TOPIC_DISTANCE;
      if (this.#isSame(at, other.topicsAt + topic * TOPIC_DISTANCE, TOPIC_BYTES)) continue;
      this.#writeDigits(at, TOPIC_BYTES, start + FIRST_TOPIC_AT + topic * NEXT_TOPIC);
    }
    this.#writeDigits(dataAt, dataEnd - dataAt, start + headOf(topicCount).length);
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

/** Whether the text of a log is the one of the last log of its transaction, but for digits. */
function hasShapeOf(last: Written, { log, isRemoved }: FoundLog, indexLength: number): boolean {
  return (
    last.log.topicCount === log.topicCount &&
    last.log.dataEnd - last.log.dataAt === log.dataEnd - log.dataAt &&
    last.indexLength === indexLength &&
    last.isRemoved === isRemoved
  );
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
