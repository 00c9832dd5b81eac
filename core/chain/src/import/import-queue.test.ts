import type { ImportOrigin } from "@plinth/core/chain";
import { describe, expect, it } from "vitest";
import { ImportQueue, MAX_QUEUED, MAX_QUEUED_BYTES } from "./import-queue.js";

/** A queue that is busy until it is released, and the order in which work runs. */
function aBusyQueue() {
  const queue = new ImportQueue();
  const order: string[] = [];
  let release = () => {};
  const busy = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = queue.run({ origin: "sync" }, () => busy);
  const add = (origin: ImportOrigin, name: string, signal?: AbortSignal) =>
    queue.run({ origin, signal }, async () => void order.push(name));
  return { queue, order, add, release, first };
}

describe("the import queue", () => {
  it("runs own blocks before announced ones, those before history, and equals in order", async () => {
    const { order, add, release } = aBusyQueue();
    const all = [
      add("sync", "sync 1"),
      add("file", "file 2"),
      add("peer", "peer 1"),
      add("own", "own 1"),
      add("peer", "peer 2"),
      add("own", "own 2"),
    ];

    release();
    await Promise.all(all);

    expect(order).toEqual(["own 1", "own 2", "peer 1", "peer 2", "sync 1", "file 2"]);
  });

  it("runs one at a time, and continues after a failure", async () => {
    const queue = new ImportQueue();
    let running = 0;
    const work = async () => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
      throw new Error("no");
    };

    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => queue.run({ origin: "peer" }, work)),
    );

    expect(results.map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
    expect(await queue.run({ origin: "peer" }, async () => "fine")).toBe("fine");
  });

  it("rejects work above its limit, but never an own block", async () => {
    const { queue, add, release, first } = aBusyQueue();
    const waiting = Array.from({ length: MAX_QUEUED }, (_, index) => add("sync", `${index}`));

    await expect(add("peer", "one more")).rejects.toMatchObject({ code: "IMPORT_QUEUE_FULL" });
    const own = add("own", "own");

    expect(queue.size).toBe(MAX_QUEUED + 1);
    release();
    await Promise.all([first, own, ...waiting]);
    expect(queue.size).toBe(0);
  });

  it("rejects more bytes than its limit, except for a single waiting block", async () => {
    const { queue, release, first } = aBusyQueue();
    const add = (bytes: number) => queue.run({ origin: "sync", bytes }, async () => {});
    const large = add(2 * MAX_QUEUED_BYTES);

    await expect(add(1)).rejects.toMatchObject({ code: "IMPORT_QUEUE_FULL" });

    release();
    await Promise.all([first, large]);
    const control = new AbortController();
    const gone = queue.run(
      { origin: "sync", bytes: MAX_QUEUED_BYTES, signal: control.signal },
      async () => {},
    );
    control.abort();
    await Promise.allSettled([gone]);
    await Promise.all([add(MAX_QUEUED_BYTES / 2), add(MAX_QUEUED_BYTES / 2)]);
  });

  it("rejects an unknown origin", async () => {
    const queue = new ImportQueue();

    await expect(queue.run({ origin: "moon" as ImportOrigin }, async () => {})).rejects.toThrow(
      "unknown origin moon; expected own, peer, sync, file",
    );
  });

  it("removes aborted work", async () => {
    const { queue, order, add, release } = aBusyQueue();
    const control = new AbortController();
    const gone = add("peer", "gone", control.signal);
    const stays = add("peer", "stays");

    control.abort(new Error("peer left"));

    await expect(gone).rejects.toThrow("peer left");
    expect(queue.size).toBe(1);
    await expect(add("peer", "late", control.signal)).rejects.toThrow("peer left");
    release();
    await stays;
    expect(order).toEqual(["stays"]);
  });
});
