import type { Health, SealedHeader } from "@plinth/core";

/** A head this many periods old is stale, if it is also older than a short pause. */
const LATE_PERIODS = 10;
const LATE_MS = 30_000;

/** The inputs to judge the age of a head. */
export interface HeadAge {
  readonly head: SealedHeader;
  /** The intended interval between the head and the next block. */
  readonly periodMs: number;
  /** When this node started: earlier time does not count. */
  readonly startedAt: number;
  readonly now: number;
}

/** Whether blocks arrive at the intended interval. */
export function checkHead({ head, periodMs, startedAt, now }: HeadAge): Health {
  const waitedMs = now - Math.max(Number(head.timestamp) * 1000, startedAt);
  if (waitedMs <= Math.max(LATE_PERIODS * periodMs, LATE_MS)) return { status: "up" };
  const [waited, period] = [waitedMs, periodMs].map((ms) => Math.round(ms / 1000));
  return {
    status: "degraded",
    detail: `no block for ${waited} s since block ${head.number}; one is expected every ${period} s`,
  };
}
