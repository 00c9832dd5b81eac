import { type Hex, hexToBytes, keccak256, type Receipt } from "@plinth/core";
import type { LogCriteria } from "@plinth/core/chain";

/** The coverage of the index sorts before all postings. */
export const COVERAGE_KEY = Uint8Array.of(0);

const ADDRESS = 1;
const FIRST_TOPIC = 2;
const HASH_BYTES = 8;
const PREFIX_BYTES = 1 + HASH_BYTES;
const NUMBER_BYTES = 8;

/**
 * Common prefix of all postings of a value: its kind, and a prefix of its hash.
 *
 * Values with the same prefix share their postings, which costs an additional block read but never changes a result.
 */
function prefixOf(kind: number, value: Hex): Uint8Array {
  const hash = keccak256(hexToBytes(value));
  return Uint8Array.of(kind, ...hash.subarray(0, HASH_BYTES));
}

/**
 * Key of a posting: a value occurs in a log of a block. The postings of a value are ordered by
 * block.
 */
export function postingKey(prefix: Uint8Array, number: bigint): Uint8Array {
  const key = Buffer.alloc(PREFIX_BYTES + NUMBER_BYTES);
  key.set(prefix);
  key.writeBigUInt64BE(number, PREFIX_BYTES);
  return key;
}

/** The block of a posting. */
export function blockOf(key: Uint8Array): bigint {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).readBigUInt64BE(PREFIX_BYTES);
}

/** The postings of a block, one for every distinct value. */
export function postingsOf(number: bigint, receipts: readonly Receipt[]): readonly Uint8Array[] {
  const values = Array.from({ length: FIRST_TOPIC }, () => new Set<Hex>());
  for (const { logs } of receipts) {
    for (const { address, topics } of logs) {
      values[ADDRESS]?.add(address);
      for (const [position, topic] of topics.entries()) {
        const kind = FIRST_TOPIC + position;
        values[kind] ??= new Set();
        values[kind].add(topic);
      }
    }
  }
  return values.flatMap((ofKind, kind) =>
    [...ofKind].map((value) => postingKey(prefixOf(kind, value), number)),
  );
}

/** The prefixes of the values of a query; a block must have one of every group. */
export function prefixGroups(
  { addresses, topics }: LogCriteria,
  maxAlternatives: number,
): readonly (readonly Uint8Array[])[] {
  return [addresses, ...topics]
    .map((values, index) => ({ values: [...new Set(values)], kind: ADDRESS + index }))
    .filter(({ values }) => values.length > 0 && values.length <= maxAlternatives)
    .map(({ values, kind }) => values.map((value) => prefixOf(kind, value)));
}
