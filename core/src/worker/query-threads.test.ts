import { describe, expect, it } from "vitest";
import type { SealedHeader } from "../blocks/header.js";
import { RunTooLong } from "../evm/run-too-long.js";
import { recordLogs } from "../testing/record-logs.js";
import { type QueryOrder, QueryThreads, ThreadsUnusable } from "./query-threads.js";

/** A thread that does what the name of the query says. */
const SCRIPT = `
  const { parentPort, workerData } = await import("node:worker_threads");
  const flags = new Int32Array(workerData.flags);
  const send = (message) => parentPort.postMessage(message);
  const answer = (slot) => (answer) => send({ kind: "job", slot, answer });
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const jobs = {
    echo: (send, slot, [value]) => send({ kind: "value", value }),
    fail: (send) => send({ kind: "error", error: { type: "Error", message: "boom", fields: [] } }),
    stuck: () => { for (;;); },
    die: () => process.exit(1),
    async polite(send, slot) {
      while (Atomics.load(flags, 2 * slot) === 0) await pause(1);
      send({ kind: "error", error: { type: "JobCancelled", message: "", fields: [] } });
    },
    stream(send) {
      send({ kind: "stream" });
      for (const piece of ["[", "1", "]"]) send({ kind: "piece", piece });
      send({ kind: "end" });
    },
  };
  parentPort.on("message", (message) => {
    const { kind, slot, job } = message;
    if (kind === "run") jobs[job.query](answer(slot), slot, job.params);
  });
  send({ kind: "ready" });
`;

const UNUSABLE = `
  const { parentPort } = await import("node:worker_threads");
  const error = { type: "Error", message: "no storage", fields: [] };
  parentPort.postMessage({ kind: "unusable", error });
`;

function startThreads(count = 2, script = SCRIPT) {
  const logs = recordLogs();
  const threads = new QueryThreads({
    thread: {} as never,
    count,
    head: () => ({}) as SealedHeader,
    log: logs.for("core"),
    script: new URL(`data:text/javascript,${encodeURIComponent(script)}`),
  });
  return { threads, logs, [Symbol.asyncDispose]: () => threads.close() };
}

function order(query: string, fields: Partial<QueryOrder> = {}): QueryOrder {
  const job = { kind: "query", query, params: [7] } as const;
  return { job, client: {}, maxMs: 10_000, isLong: false, ...fields };
}

describe("query threads", () => {
  it("answer what a job answers, or throws", async () => {
    await using started = startThreads();
    const { threads } = started;

    expect(await threads.run(order("echo"))).toEqual({ kind: "value", value: 7 });
    await expect(threads.run(order("fail"))).rejects.toThrow("boom");
  });

  it("hand on a stream", async () => {
    await using started = startThreads();

    const answer = await started.threads.run(order("stream"));

    const pieces: unknown[] = [];
    if (answer.kind === "stream") for await (const piece of answer.pieces) pieces.push(piece);
    expect(pieces).toEqual(["[", "1", "]"]);
  });

  it("do several long jobs at once", async () => {
    await using started = startThreads(1);
    const { threads } = started;
    const leave = new AbortController();
    const fields = { closed: leave.signal, isLong: true };
    const long = [1, 2, 3].map(() => threads.run(order("polite", fields)));
    const over = Promise.allSettled(long);

    expect(await threads.run(order("stream", { isLong: true }))).toMatchObject({ kind: "stream" });

    leave.abort();
    expect((await over).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });

  it("replace a thread that misses its deadline", async () => {
    await using started = startThreads(1);
    const { threads } = started;

    await expect(threads.run(order("stuck", { maxMs: 200 }))).rejects.toBeInstanceOf(RunTooLong);

    expect(await threads.run(order("echo"))).toMatchObject({ value: 7 });
  });

  it("replace a thread that dies", async () => {
    await using started = startThreads(1);
    const { threads } = started;

    await expect(threads.run(order("die"))).rejects.toThrow("ended");

    expect(await threads.run(order("echo"))).toMatchObject({ value: 7 });
  });

  it("let short jobs pass one that takes long", async () => {
    await using started = startThreads(2);
    const { threads } = started;
    const leave = new AbortController();
    const long = [1, 2, 3].map(() => threads.run(order("polite", { closed: leave.signal })));
    const over = Promise.allSettled(long);

    const start = performance.now();
    expect(await threads.run(order("echo"))).toMatchObject({ value: 7 });

    expect(performance.now() - start).toBeLessThan(5000);
    leave.abort();
    await over;
  });

  it("give a job up when its caller leaves", async () => {
    await using started = startThreads(1);
    const { threads } = started;
    const leave = new AbortController();
    const running = threads.run(order("polite", { closed: leave.signal }));
    const waiting = threads.run(order("polite", { closed: leave.signal }));
    const ends = Promise.allSettled([running, waiting]);
    await new Promise((resolve) => setTimeout(resolve, 100));

    leave.abort();

    expect((await ends).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await threads.run(order("echo"))).toMatchObject({ value: 7 });
  });

  it("say so when too many wait", async () => {
    await using started = startThreads(1);
    const { threads } = started;
    const leave = new AbortController();
    const fields = { closed: leave.signal };
    const many = Array.from({ length: 1025 }, () => threads.run(order("polite", fields)));
    const ends = Promise.allSettled(many);

    const refused = await threads.run(order("polite", fields)).catch((error) => error);
    leave.abort();
    await ends;

    expect(refused).toMatchObject({ rpcCode: -32005 });
  });

  it("leave the work to the main thread where they cannot be used", async () => {
    await using started = startThreads(2, UNUSABLE);
    const { threads, logs } = started;

    await expect(threads.run(order("echo"))).rejects.toBeInstanceOf(ThreadsUnusable);

    expect(threads.isUsable).toBe(false);
    expect(logs.entries.map(({ message }) => message).join()).toContain("no storage");
  });

  it("tell those who wait when they are closed", async () => {
    const { threads } = startThreads(1);
    const waiting = threads.run(order("polite"));
    const end = expect(waiting).rejects.toThrow();

    await threads.close();

    await end;
  });
});
