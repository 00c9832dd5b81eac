import type { Health, SealedHeader } from "@plinth/core";

/** A head this many periods old is late, if it is older than a short pause as well. */
const LATE_PERIODS = 10;
const LATE_MS = 30_000;

/** What the age of a head is judged by. */
export interface HeadAge {
  readonly head: SealedHeader;
  /** How long after the head the next block is meant to be. */
  readonly periodMs: number;
  /** When this node began to run: what came before is not held against it. */
  readonly startedAt: number;
  readonly now: number;
}

/** Whether blocks come as often as they are meant to. */
export function checkHead({ head, periodMs, startedAt, now }: HeadAge): Health {
  const waitedMs = now - Math.max(Number(head.timestamp) * 1000, startedAt);
  if (waitedMs <= Math.max(LATE_PERIODS * periodMs, LATE_MS)) return { status: "up" };
  const [waited, period] = [waitedMs, periodMs].map((ms) => Math.round(ms / 1000));
  return {
    status: "degraded",
    detail: `no block for ${waited} s since block ${head.number}; one is meant every ${period} s`,
  };
}
