import { describe, expect, it } from "vitest";
import { findUnread } from "./find-unread.js";
import type { ThreadPlace } from "./thread-place.js";

interface Stream {
  readonly address: string;
  readonly isRead: boolean;
  /** Duration without a read. */
  readonly ms: number;
}

/** A thread with such streams, all of which wait for their clients. */
function placeWith(streams: readonly Stream[]): ThreadPlace {
  const jobs = streams.map(({ address, isRead, ms }) => ({
    stream: { isBlocked: true, isRead, blockedSince: performance.now() - ms },
    pending: { address },
  }));
  return { jobs: () => jobs } as unknown as ThreadPlace;
}

function find(streams: readonly Stream[], waitingJobs = 1): string | undefined {
  return findUnread([placeWith(streams)], waitingJobs)?.running.pending.address;
}

const slow = { address: "slow readers", isRead: true, ms: 1_000 };
const unread = { address: "unread", isRead: false, ms: 3_000 };

describe("the stream that is aborted", () => {
  it("belongs to an address that does not read, regardless of how many slow readers another has", () => {
    expect(find([slow, slow, slow, unread])).toBe("unread");
  });

  it("is none while all clients read, or have just started", () => {
    expect(find([slow, slow, { ...unread, ms: 100 }])).toBeUndefined();
  });

  it("belongs to a reader that has stopped", () => {
    expect(find([{ ...slow, ms: 6_000 }])).toBe("slow readers");
  });

  it("is found sooner if many jobs wait", () => {
    expect(find([{ ...unread, ms: 100 }], 40)).toBe("unread");
  });
});
