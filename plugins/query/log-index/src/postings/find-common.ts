import type { PostingCursor } from "./posting-cursor.js";

/** Alternatives: a block needs a posting of one of them. */
export type CursorGroup = readonly PostingCursor[];

/** Found blocks, and where to continue; `undefined` if there are no more. */
export interface CommonBlocks {
  readonly numbers: readonly bigint[];
  readonly next: bigint | undefined;
}

/**
 * Finds the blocks with a posting of every group, in order, within a number of steps.
 *
 * Each group skips to the position of the others, so the rarest value determines the cost.
 */
export async function findCommon(
  groups: readonly CursorGroup[],
  from: bigint,
  maxSteps: number,
): Promise<CommonBlocks> {
  const numbers: bigint[] = [];
  let number = from;
  for (let step = 0; step < maxSteps; step++) {
    const reached = await leap(groups, number);
    if (reached === undefined) return { numbers, next: undefined };
    if (reached === number) numbers.push(number);
    number = reached === number ? number + 1n : reached;
  }
  return { numbers, next: number };
}

/**
 * The position that the groups reach, one after the other, from a block on: the block itself if all
 * of them have it.
 */
async function leap(groups: readonly CursorGroup[], from: bigint): Promise<bigint | undefined> {
  let number = from;
  for (const group of groups) {
    const reached = await seekAny(group, number);
    if (reached === undefined) return undefined;
    number = reached;
  }
  return number;
}

async function seekAny(group: CursorGroup, number: bigint): Promise<bigint | undefined> {
  let least: bigint | undefined;
  for (const cursor of group) {
    const reached = await cursor.seek(number);
    if (reached !== undefined && (least === undefined || reached < least)) least = reached;
  }
  return least;
}
