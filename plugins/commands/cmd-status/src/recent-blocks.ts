import { t } from "@plinth/core";
import { type Asked, ask } from "./ask.js";

/** How many of the last blocks show how often they come. */
const SHOWN = 8n;
/** As a node that judges itself: so many periods, and half a minute, are late. */
const LATE_PERIODS = 10;
const LATE_SECONDS = 30;

/** A node may lack old blocks, and a reorganisation takes new ones away. */
const block = t.optional(t.object({ timestamp: t.quantity, transactions: t.array(t.json) }));

/** A block, as far as it shows how often blocks come. */
export interface RecentBlock {
  readonly timestamp: bigint;
  readonly transactions: readonly unknown[];
}

/** The last blocks of a node, from the oldest to its head, without those before one that it does not have. */
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
 * The most seconds between the last blocks; `undefined` where they do not show that blocks are meant to come: a chain
 * that makes them for transactions alone may rest for any time.
 */
export function findPeriod(blocks: readonly RecentBlock[]): number | undefined {
  // Block 0 is no measure: its time is that of the genesis file.
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
