import { decodeRlp, encodeRlp, hexToBytes, type Rlp } from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";
import type { Cursor } from "./records.js";

const GROUP_BYTES = 32;

/** Blocks that are searched once more for private transactions, to run those of some groups again. */
export interface Rerun {
  /** The last block that had been searched before. */
  readonly until: Cursor;
  /** Whether all groups are run again; else those that are named, each from a block on. */
  readonly isOfAll: boolean;
  readonly groups: readonly { readonly group: Uint8Array; readonly from: bigint }[];
}

/** Whether what a group did in a block is done again. */
export function isRunAgain(
  { until, isOfAll, groups }: Rerun,
  group: Uint8Array,
  number: bigint,
): boolean {
  if (number > until.number) return false;
  return isOfAll || groups.some((other) => isSame(other.group, group) && other.from <= number);
}

/** The same with groups that are run again from a block on, or from an earlier one where that was to be done before. */
export function withGroups(rerun: Rerun, groups: readonly Uint8Array[], from: bigint): Rerun {
  const isNamed = (group: Uint8Array) => groups.some((other) => isSame(other, group));
  const others = rerun.groups.filter(({ group }) => !isNamed(group));
  const added = groups.map((group) => {
    const known = rerun.groups.find((other) => isSame(other.group, group));
    return { group, from: known !== undefined && known.from < from ? known.from : from };
  });
  return { ...rerun, groups: [...others, ...added] };
}

export function encodeRerun({ until, isOfAll, groups }: Rerun): Uint8Array {
  return encodeRlp([
    scalarBytes(until.number),
    hexToBytes(until.hash),
    scalarBytes(isOfAll ? 1n : 0n),
    groups.map(({ group, from }) => [group, scalarBytes(from)]),
  ]);
}

export function decodeRerun(bytes: Uint8Array): Rerun {
  const fields = new Fields("private transactions that run again", decodeRlp(bytes));
  return {
    until: { number: fields.uint64("number"), hash: fields.hash("hash") },
    isOfAll: fields.uint64("isOfAll") === 1n,
    groups: fields.list("groups").map(readGroup),
  };
}

function readGroup(item: Rlp) {
  const fields = new Fields("group that runs again", item);
  return { group: fields.fixed("group", GROUP_BYTES), from: fields.uint64("from") };
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
