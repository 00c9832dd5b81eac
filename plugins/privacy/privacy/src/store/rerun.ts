import { decodeRlp, encodeRlp, hexToBytes, type Rlp } from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";
import type { Cursor } from "./records.js";

const GROUP_BYTES = 32;

/** Blocks that are searched again for private transactions, to re-execute some groups. */
export interface Rerun {
  /** Last block that had been searched before. */
  readonly until: Cursor;
  /** Whether all groups are re-executed; otherwise only the named ones, each from a block on. */
  readonly isOfAll: boolean;
  readonly groups: readonly { readonly group: Uint8Array; readonly from: bigint }[];
}

/** Whether the transactions of a group in a block are re-executed. */
export function isRunAgain(
  { until, isOfAll, groups }: Rerun,
  group: Uint8Array,
  number: bigint,
): boolean {
  if (number > until.number) return false;
  return isOfAll || groups.some((other) => isSame(other.group, group) && other.from <= number);
}

/**
 * Adds groups to re-execute from a block on, or from an earlier one if that was already scheduled.
 */
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
