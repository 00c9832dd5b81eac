import { crc32 } from "node:zlib";
import { hexBytes } from "../blocks/fields.js";
import type { Hash, Hex } from "../primitives/hex.js";
import { readConfigNumber } from "./config-values.js";

/** Fork activations in the order of EIP-2124: by block number, then by time. */
export interface ForkPoints {
  readonly blocks: readonly bigint[];
  readonly times: readonly bigint[];
}

const NUMBER_BYTES = 8;

/**
 * Reads the fork activations of a chain from its genesis file.
 *
 * Every key that ends with `Block` or `Time` is a fork; those active at genesis do not count.
 */
export function readForkPoints(genesis: object): ForkPoints {
  const config = Object(Reflect.get(genesis, "config"));
  const genesisTime = Reflect.get(genesis, "timestamp");
  const began = genesisTime === undefined ? 0n : readConfigNumber("timestamp", genesisTime);
  const collect = (ending: string, after: bigint) => {
    const values = Object.entries(config)
      .filter(([key, value]) => key.toLowerCase().endsWith(ending) && isNumber(value))
      .map(([key, value]) => readConfigNumber(key, value))
      .filter((value) => value > after);
    return [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
  };
  return { blocks: collect("block", 0n), times: collect("time", began) };
}

/** The fork hash of EIP-2124 at a position of the chain. */
export function forkHashAt(
  genesisHash: Hash,
  { blocks, times }: ForkPoints,
  point: { readonly number: bigint; readonly timestamp: bigint },
): Hex {
  const passed = [
    ...blocks.filter((block) => block <= point.number),
    ...times.filter((time) => time <= point.timestamp),
  ];
  let checksum = crc32(hexBytes(genesisHash));
  for (const fork of passed) {
    const bytes = Buffer.alloc(NUMBER_BYTES);
    bytes.writeBigUInt64BE(fork);
    checksum = crc32(bytes, checksum);
  }
  return `0x${checksum.toString(16).padStart(8, "0")}`;
}

/** The identifier peers compare to check that they follow the same forks (EIP-2124). */
export interface ForkId {
  /** 4 bytes. */
  readonly hash: Hex;
  /** The block or time of the next known fork; 0 if there is none. */
  readonly next: bigint;
}

/** The fork id at a position of the chain. */
export function forkIdAt(
  genesisHash: Hash,
  points: ForkPoints,
  point: { readonly number: bigint; readonly timestamp: bigint },
): ForkId {
  const next =
    points.blocks.find((block) => block > point.number) ??
    points.times.find((time) => time > point.timestamp);
  return { hash: forkHashAt(genesisHash, points, point), next: next ?? 0n };
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "string";
}
