import { t } from "@plinth/core";
import { type Asked, ask } from "./ask.js";

/** Number of last blocks from which the period is derived. */
const SHOWN = 8n;
/** Tolerance, as in a node's own health check: this many periods, plus half a minute. */
const LATE_PERIODS = 10;
const LATE_SECONDS = 30;

/** A node may lack old blocks, and a reorganization removes new ones. */
const block = t.optional(t.object({ timestamp: t.quantity, transactions: t.array(t.json) }));

/** The parts of a block from which the period is derived. */
export interface RecentBlock {
  readonly timestamp: bigint;
  readonly transactions: readonly unknown[];
}

/** The last blocks of a node, from the oldest to its head, without those before a missing one. */
export async function askRecentBlocks(asked: Asked, head: bigint): Promise<readonly RecentBlock[]> {
  const first = head < SHOWN ? 0n : head - SHOWN;
  const numbers = Array.from({ length: Number(head - first) + 1 }, (_, index) => {
    return `0x${(first + BigInt(index)).toString(16)}`;
  });
  const found = await Promise.all(
    numbers.map((number) => ask(asked, "eth_getBlockByNumber", block, [number, false])),
  );
  return found.slice(found.lastIndexOf(undefined) + 1).flatMap((each) => each ?? []);
}

/**
 * The maximum number of seconds between the last blocks; `undefined` if they do not show a regular period: a chain that
 * produces blocks for transactions only may pause for any time.
 */
export function findPeriod(blocks: readonly RecentBlock[]): number | undefined {
  // Block 0 does not count: its time is that of the genesis file.
  const gaps = blocks.slice(2).map(({ timestamp }, index) => {
    return Number(timestamp - (blocks[index + 1]?.timestamp ?? timestamp));
  });
  const isSteady = blocks.slice(1).some(({ transactions }) => transactions.length === 0);
  return isSteady && gaps.length > 1 ? Math.max(1, ...gaps) : undefined;
}

/** Whether a head is too old for a chain with such gaps between its blocks. */
export function isLate(headAge: number, period: number): boolean {
  return headAge > Math.max(LATE_PERIODS * period, LATE_SECONDS);
}
