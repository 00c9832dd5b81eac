import type { Hash } from "@plinth/core";

/** A value that the network and this execution of a block do not share. */
export interface Difference {
  readonly block: bigint;
  readonly blockHash: Hash;
  /** `undefined` for a value of the whole block. */
  readonly transaction?: { readonly hash: Hash; readonly index: number };
  /** Such as `gasUsed`, `logs[2].data`, or `balance of 0x…`. */
  readonly field: string;
  /** Of the network. */
  readonly network: string;
  /** Of this execution. */
  readonly here: string;
}

/** A difference without its place. */
export type Compared = Pick<Difference, "field" | "network" | "here">;

/** The difference of two values, if they are not the same. */
export function compare(field: string, network: unknown, here: unknown): readonly Compared[] {
  const pair = { network: describe(network), here: describe(here) };
  return pair.network === pair.here ? [] : [{ field, ...pair }];
}

function describe(value: unknown): string {
  return value === undefined ? "none" : String(value);
}
