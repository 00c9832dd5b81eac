import type { RunningQuery, ThreadPlace } from "./thread-place.js";

/** A job whose caller does not read its stream. */
export interface UnreadQuery {
  readonly place: ThreadPlace;
  readonly running: RunningQuery;
  /** When the caller last read. */
  readonly since: number;
}

/**
 * How long a stream may go unread while other jobs wait; the more wait, the shorter, if none of it
 * was ever read.
 */
const PATIENCE_MS = 2000;
const READER_PATIENCE_MS = 5000;

/**
 * The job to abort so that others can start: of the address with the most unread streams, the one that has gone
 * unread longest, and for too long.
 */
export function findUnread(
  places: Iterable<ThreadPlace>,
  waitingJobs: number,
): UnreadQuery | undefined {
  const now = performance.now();
  let leaving = 0;
  const byAddress = new Map<string | undefined, UnreadQuery[]>();
  for (const place of places) {
    for (const running of place.jobs()) {
      const { stream, pending } = running;
      if (stream?.isEnded === true) leaving += 1;
      if (stream?.isBlocked !== true) continue;
      // A client that reads, even slowly, counts only once it has stopped.
      if (stream.isRead && now - stream.blockedSince < READER_PATIENCE_MS) continue;
      const unread = { place, running, since: stream.blockedSince };
      byAddress.set(pending.address, [...(byAddress.get(pending.address) ?? []), unread]);
    }
  }
  // An aborted job frees its slot once its thread has noticed.
  if (leaving >= waitingJobs) return undefined;
  const most = [...byAddress.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  const [longest] = most.toSorted((a, b) => a.since - b.since);
  const isTooLong = longest !== undefined && now - longest.since >= PATIENCE_MS / waitingJobs;
  return isTooLong ? longest : undefined;
}
