import { describe, expect, it } from "vitest";
import { type SyncProgress, SyncStatus } from "./sync-status.js";

const progress = { starting: 0n, current: 5n, highest: 100n, syncing: true };

describe("the status of synchronization", () => {
  it("is unknown until a plugin reports it", () => {
    const status = new SyncStatus(() => expect.fail("nothing was reported"));

    expect(status.progress).toBeUndefined();
    expect(status.isSyncing).toBe(false);
  });

  it("is the last report, and notifies only of changes", () => {
    const notified: SyncProgress[] = [];
    const status = new SyncStatus((each) => void notified.push(each));

    status.report(progress);
    status.report({ ...progress });
    status.report({ ...progress, current: 100n, syncing: false });

    expect(notified.map(({ current }) => current)).toEqual([5n, 100n]);
    expect(status.isSyncing).toBe(false);
  });
});
