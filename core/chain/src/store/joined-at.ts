import type { Table } from "@plinth/core/storage";

const KEY = Buffer.from("joined-at");
const UNPROVEN = Buffer.from("unproven-from");

/** The block at which a database joined its chain; `undefined` if it executed every block. */
export function findJoinedAt(chain: Table): bigint | undefined {
  const bytes = chain.getSync(KEY);
  return bytes && Buffer.from(bytes).readBigUInt64BE();
}

/** The entry of the table `chain` with the block at which it joined its chain. */
export function joinedAtEntry(number: bigint): readonly [key: Uint8Array, value: Uint8Array] {
  const value = Buffer.alloc(8);
  value.writeBigUInt64BE(number);
  return [KEY, value];
}

/** The first header after block 0 of a database that joined its chain without proof; `undefined` for any other. */
export function findUnprovenFrom(chain: Table): bigint | undefined {
  const bytes = chain.getSync(UNPROVEN);
  return bytes && Buffer.from(bytes).readBigUInt64BE();
}

/** The entry of the table `chain` with that header. */
export function unprovenFromEntry(number: bigint): readonly [key: Uint8Array, value: Uint8Array] {
  const value = Buffer.alloc(8);
  value.writeBigUInt64BE(number);
  return [UNPROVEN, value];
}
