import type { RunningQuery, ThreadPlace } from "./thread-place.js";

/** A job whose caller does not read what is streamed to it. */
export interface UnreadQuery {
  readonly place: ThreadPlace;
  readonly running: RunningQuery;
  /** When the caller last read. */
  readonly since: number;
}

/** How long a stream may go unread while other jobs wait; less, the more of them wait, if none of it was ever read. */
const PATIENCE_MS = 2000;
const READER_PATIENCE_MS = 5000;

/**
 * The job to give up so that others can begin: of the address with most streams that are not read, the one that
 * has gone unread longest, and for too long.
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
      // A client that reads, slowly as it may be, counts when it has stopped.
      if (stream.isRead && now - stream.blockedSince < READER_PATIENCE_MS) continue;
      const unread = { place, running, since: stream.blockedSince };
      byAddress.set(pending.address, [...(byAddress.get(pending.address) ?? []), unread]);
    }
  }
  // One that was given up makes room when its thread has noticed.
  if (leaving >= waitingJobs) return undefined;
  const most = [...byAddress.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  const [longest] = most.toSorted((a, b) => a.since - b.since);
  const isTooLong = longest !== undefined && now - longest.since >= PATIENCE_MS / waitingJobs;
  return isTooLong ? longest : undefined;
}
