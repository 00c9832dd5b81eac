import type { Sample } from "./samples.js";

const DAY_SECONDS = 86_400;
/** Growth is measured over this time, or over the samples there are. */
const WINDOW_SECONDS = 7 * DAY_SECONDS;

/** How fast the data grows; times are those of the blocks. */
export interface Growth {
  /** From the first block of the measured range to its last. */
  readonly seconds: number;
  readonly blocks: number;
  readonly blocksPerDay: number;
  readonly bytesPerDay: number;
  readonly bytesPerBlock: number;
  /** `undefined` if there were none, or the node did not count them. */
  readonly bytesPerTransaction: number | undefined;
}

/**
 * The growth over the last seven days of blocks; `undefined` if the samples cover less than a day.
 *
 * The time of blocks, not of the clock, so that neither a synchronization nor a stopped node
 * changes the rate. Block 0 is ignored: its time is that of the genesis file.
 */
export function measureGrowth(samples: readonly Sample[]): Growth | undefined {
  const usable = samples.filter(({ number }) => number > 0);
  const last = usable.at(-1);
  if (last === undefined) return undefined;
  const start = usable.findLastIndex(
    ({ timestamp }) => last.timestamp - timestamp >= WINDOW_SECONDS,
  );
  const range = usable.slice(Math.max(0, start));
  const first = range[0] ?? last;
  const seconds = last.timestamp - first.timestamp;
  const blocks = last.number - first.number;
  if (seconds < DAY_SECONDS || blocks <= 0) return undefined;
  const bytes = last.bytes - first.bytes;
  return {
    seconds,
    blocks,
    blocksPerDay: Math.round((blocks / seconds) * DAY_SECONDS),
    bytesPerDay: Math.round((bytes / seconds) * DAY_SECONDS),
    bytesPerBlock: Math.round(bytes / blocks),
    bytesPerTransaction: measurePerTransaction(range),
  };
}

/** Over the parts of the range whose transactions were counted. */
function measurePerTransaction(range: readonly Sample[]): number | undefined {
  let bytes = 0;
  let transactions = 0;
  for (const [index, after] of range.slice(1).entries()) {
    if (after.transactions === undefined) continue;
    bytes += after.bytes - (range[index]?.bytes ?? after.bytes);
    transactions += after.transactions;
  }
  return transactions > 0 ? Math.round(bytes / transactions) : undefined;
}
