import { crc32c, maskCrc } from "./crc32c.js";

/** A record of a log or manifest, or an unreadable place in it. */
export type RecordItem =
  | { readonly offset: number; readonly bytes: Uint8Array }
  | { readonly offset: number; readonly problem: string };

/** A physical record; a logical one may span several. */
interface Fragment {
  readonly offset: number;
  readonly end: number;
  readonly kind: number;
  readonly bytes: Uint8Array;
}

const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/**
 * Reads the records of a write-ahead log or a manifest and checks each against its CRC.
 *
 * A record truncated by the end of the file is omitted silently, because that is what a crash in the middle of a write
 * leaves. Any other unreadable place is a problem. LevelDB drops such places and continues; it also mistakes a damaged
 * length near the end for a crash.
 */
export function* readRecords(file: Uint8Array): Generator<RecordItem> {
  let parts: Fragment[] = [];
  for (const item of readFragments(file)) {
    if ("problem" in item) {
      parts = [];
      yield item;
      continue;
    }
    const continues = item.kind === MIDDLE || item.kind === LAST;
    if (continues !== parts.length > 0) {
      yield { offset: (parts[0] ?? item).offset, problem: "a record is not complete" };
      parts = [];
      if (continues) continue;
    }
    parts.push(item);
    if (item.kind === FIRST || item.kind === MIDDLE) continue;
    yield {
      offset: (parts[0] as Fragment).offset,
      bytes: parts.length === 1 ? item.bytes : Buffer.concat(parts.map(({ bytes }) => bytes)),
    };
    parts = [];
  }
}

type Problem = { readonly offset: number; readonly problem: string };

function* readFragments(file: Uint8Array): Generator<Fragment | Problem> {
  for (let at = 0; at < file.length; ) {
    const left = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (left < HEADER_BYTES) {
      at += left;
      continue;
    }
    const fragment = readFragment(file, at);
    if (fragment !== undefined) {
      yield fragment;
      at = fragment.end;
      continue;
    }
    const next = findFragment(file, at + 1);
    if (next === undefined && isCutOff(file, at)) return;
    yield { offset: at, problem: "a record does not have the CRC it was written with" };
    if (next === undefined) return;
    at = next;
  }
}

/** The record that starts there; `undefined` if there is none. */
function readFragment(file: Uint8Array, at: number): Fragment | undefined {
  if (at + HEADER_BYTES > file.length) return undefined;
  const { length, kind, crc } = readHeader(file, at);
  const end = at + HEADER_BYTES + length;
  if (kind < FULL || kind > LAST || end > Math.min(file.length, blockEnd(at))) return undefined;
  if (!hasCrc(file, { at, end, crc })) return undefined;
  return { offset: at, end, kind, bytes: file.subarray(at + HEADER_BYTES, end) };
}

/** Offset of the next readable record. */
function findFragment(file: Uint8Array, from: number): number | undefined {
  for (let at = from; at + HEADER_BYTES <= file.length; at++) {
    if (readFragment(file, at) !== undefined) return at;
  }
  return undefined;
}

/**
 * Whether it looks like a write that a crash truncated: its length extends past the end of the
 * file.
 */
function isCutOff(file: Uint8Array, at: number): boolean {
  if (at + HEADER_BYTES > file.length) return true;
  const { length, crc } = readHeader(file, at);
  const end = at + HEADER_BYTES + length;
  if (end <= file.length || end > blockEnd(at)) return false;
  // With the actual length the CRC matches: the length was changed.
  return !hasCrc(file, { at, end: file.length, crc });
}

function readHeader(file: Uint8Array, at: number) {
  const view = Buffer.from(file.buffer, file.byteOffset + at, HEADER_BYTES);
  return { crc: view.readUInt32LE(0), length: view.readUInt16LE(4), kind: view.readUInt8(6) };
}

/** The CRC covers the kind and what follows it. */
function hasCrc(file: Uint8Array, on: { at: number; end: number; crc: number }): boolean {
  return maskCrc(crc32c(file.subarray(on.at + HEADER_BYTES - 1, on.end))) === on.crc;
}

function blockEnd(at: number): number {
  return at - (at % BLOCK_BYTES) + BLOCK_BYTES;
}
