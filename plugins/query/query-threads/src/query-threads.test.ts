import type { SealedHeader } from "@plinth/core";
import { RunTooLong } from "@plinth/core/evm";
import { recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import type { QueryOrder } from "./pending-query.js";
import { QueryThreads, ThreadsUnusable } from "./query-threads.js";

/** A thread whose behavior depends on the name of the query. */
const SCRIPT = `
  const { parentPort, workerData } = await import("node:worker_threads");
  const flags = new Int32Array(workerData.flags);
  const send = (message) => parentPort.postMessage(message);
  const answer = (slot) => (answer) => send({ kind: "job", slot, answer, ms: 1, heldBytes: 0 });
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const jobs = {
    echo: (send, slot, [value]) => send({ kind: "value", value }),
    fail: (send) => send({ kind: "error", error: { type: "Error", message: "boom", fields: [] } }),
    stuck: () => { for (;;); },
    die: () => process.exit(1),
    async stuckLater() { await pause(100); for (;;); },
    async taken(send) {
      taken = 0;
      await pause(300);
      send({ kind: "value", value: taken });
    },
    async slowStream(send, slot) {
      send({ kind: "stream" });
      send({ kind: "piece", piece: "[" });
      for (let step = 0; step < 300; step++) {
        if (Atomics.load(flags, 2 * slot) !== 0) {
          send({ kind: "error", error: { type: "JobCanceled", message: "", fields: [] } });
          return;
        }
        Atomics.add(flags, 2 * slot + 1, 100);
        await pause(1);
      }
      send({ kind: "piece", piece: "]" });
      send({ kind: "end" });
    },
    async once(send, slot, [at]) {
      await pause(at - Date.now());
      send({ kind: "value", value: "done" });
    },
    async polite(send, slot) {
      while (Atomics.load(flags, 2 * slot) === 0) await pause(1);
      send({ kind: "error", error: { type: "JobCanceled", message: "", fields: [] } });
    },
    unread(send, slot) {
      send({ kind: "stream" });
      send({ kind: "piece", piece: "x".repeat(2 ** 20) });
      unread.set(slot, () =>
        send({ kind: "error", error: { type: "JobCanceled", message: "", fields: [] } }));
    },
    stream(send) {
      send({ kind: "stream" });
      for (const piece of ["[", "1", "]"]) send({ kind: "piece", piece });
      send({ kind: "end" });
    },
  };
  let taken = 0;
  const unread = new Map();
  parentPort.on("message", (message) => {
    const { kind, slot, job } = message;
    if (kind === "taken") taken += message.size;
    // As a busy thread, which notices late.
    if (kind === "cancel") setTimeout(() => unread.get(slot)?.(), 20);
    if (kind === "run") jobs[job.query](answer(slot), slot, job.params);
  });
  send({ kind: "ready" });
`;

const UNUSABLE = `
  const { parentPort } = await import("node:worker_threads");
  const error = { type: "Error", message: "no storage", fields: [] };
  parentPort.postMessage({ kind: "unusable", error });
`;

/** Unusable while a variable is set, like a process that is temporarily out of file handles. */
const UNUSABLE_FOR_NOW = `if (process.env.PLINTH_TEST_UNUSABLE) {${UNUSABLE}} else {${SCRIPT}}`;

/**
 * A thread that never becomes ready, like one with a plugin that blocks at the top of its module.
 */
const NEVER_READY = "await new Promise((resolve) => setTimeout(resolve, 1_000_000));";

function startThreads(
  count = 2,
  script = SCRIPT,
  settings: Partial<ConstructorParameters<typeof QueryThreads>[0]> = {},
) {
  const logs = recordLogs();
  const threads = new QueryThreads({
    thread: {} as never,
    count,
    head: () => ({}) as SealedHeader,
    log: logs.for("core"),
    script: new URL(`data:text/javascript,${encodeURIComponent(script)}`),
    ...settings,
  });
  return { threads, logs, [Symbol.asyncDispose]: () => threads.close() };
}

function order(query: string, fields: Partial<QueryOrder> = {}): QueryOrder {
  const job = { kind: "query", query, params: [7] } as const;
  return { job, client: {}, maxMs: 10_000, isLong: false, ...fields };
}

describe("query threads", () => {
  it("return the result or error of a job", async () => {
    await using started = startThreads();
    const { threads } = started;

    expect(await threads.run(order("echo"))).toEqual({ kind: "value", value: 7 });
    await expect(threads.run(order("fail"))).rejects.toThrow("boom");
  });

  it("forward a stream", async () => {
    await using started = startThreads();

    const answer = await started.threads.run(order("stream"));

    const pieces: unknown[] = [];
    if (answer.kind === "stream") for await (const piece of answer.pieces) pieces.push(piece);
    expect(pieces).toEqual(["[", "1", "]"]);
  });

  it("run several long jobs at once", async () => {
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

  it("run other long jobs while callers do not read", async () => {
    await using started = startThreads(1);
    const { threads } = started;
    const leave = new AbortController();
    const fields = { closed: leave.signal, isLong: true };
    for (let count = 0; count < 16; count++) await threads.run(order("unread", fields));

    expect(await threads.run(order("echo", { isLong: true }))).toMatchObject({ value: 7 });
    expect(await threads.run(order("echo"))).toMatchObject({ value: 7 });
  });

  it("abort the stream that has gone unread longest, of the address with the most", async () => {
    await using started = startThreads(1);
    const { threads } = started;
    const ended: string[] = [];
    const open = (address: string) =>
      threads.run(
        order("unread", { isLong: true, address, disconnect: () => void ended.push(address) }),
      );
    await open("a reader");
    for (let count = 0; count < 31; count++) await open("many");

    // The more jobs wait, the less patience.
    await Promise.all(Array.from({ length: 40 }, () => open("many")));

    expect(ended).toEqual(Array(40).fill("many"));
  });

  it("replace a thread that misses its deadline", async () => {
    await using started = startThreads(1);
    const { threads } = started;

    await expect(threads.run(order("stuck", { maxMs: 200 }))).rejects.toBeInstanceOf(RunTooLong);

    expect(await threads.run(order("echo"))).toMatchObject({ value: 7 });
  });

  it("restart other jobs if a thread is terminated for one of them", async () => {
    await using started = startThreads(1);
    const { threads } = started;
    const at = Date.now() + 3500;
    const job = { kind: "query", query: "once", params: [at] } as const;

    const stuck = threads.run(order("stuckLater", { maxMs: 300, isLong: true }));
    const other = threads.run(order("once", { job, isLong: true, maxMs: 60_000 }));

    await expect(stuck).rejects.toBeInstanceOf(RunTooLong);
    expect(await other).toEqual({ kind: "value", value: "done" });
  });

  it("do not count the pieces of a finished stream for the next job in its slot", async () => {
    await using started = startThreads(1);
    const { threads } = started;
    const ended = await threads.run(order("stream", { isLong: true }));
    // Until its end has arrived.
    await threads.run(order("echo"));
    const next = threads.run(order("taken", { isLong: true }));

    if (ended.kind === "stream") for await (const _ of ended.pieces);

    expect(await next).toEqual({ kind: "value", value: 0 });
  });

  it("do not abort a stream that a caller already reads, though others wait", async () => {
    await using started = startThreads(2);
    const { threads } = started;
    await threads.run(order("echo"));
    const answer = await threads.run(order("slowStream"));
    const others = Promise.all([1, 2, 3].map(() => threads.run(order("echo"))));

    const pieces: unknown[] = [];
    if (answer.kind === "stream") for await (const piece of answer.pieces) pieces.push(piece);

    expect(pieces).toEqual(["[", "]"]);
    expect(await others).toHaveLength(3);
  });

  it("are abandoned if they do not become ready", async () => {
    await using started = startThreads(1, NEVER_READY, { maxStartMs: 200 });
    const { threads, logs } = started;

    await expect(threads.run(order("echo"))).rejects.toBeInstanceOf(ThreadsUnusable);

    expect(threads.isUsable).toBe(false);
    expect(logs.entries.filter(({ level }) => level === "warn")).toHaveLength(1);
  });

  it("reject parameters that cannot be sent to a thread, also after others have waited", async () => {
    await using started = startThreads(1);
    const { threads } = started;
    const params = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    const deep = order("echo", { job: { kind: "query", query: "echo", params } });
    await threads.run(order("echo"));
    const before = threads.run(order("taken"));

    const refused = [threads.run(deep), threads.run(deep)];

    for (const each of refused) await expect(each).rejects.toMatchObject({ rpcCode: -32602 });
    expect(await before).toMatchObject({ kind: "value" });
    await expect(threads.run(deep)).rejects.toMatchObject({ rpcCode: -32602 });
    expect(await threads.run(order("echo"))).toMatchObject({ value: 7 });
  });

  it("name a query whose parameters cannot be cloned", async () => {
    await using started = startThreads(1);
    const { threads } = started;
    const params = [{ now: () => 0 }];

    const refused = threads.run(
      order("echo", { job: { kind: "query", query: "acme.sum", params } }),
    );

    await expect(refused).rejects.toThrow(
      /^the parameters of acme\.sum cannot be sent to a thread: .+ could not be cloned/,
    );
    expect(await threads.run(order("echo"))).toMatchObject({ value: 7 });
  });

  it("replace a thread that dies", async () => {
    await using started = startThreads(1);
    const { threads } = started;

    await expect(threads.run(order("die"))).rejects.toThrow("ended");

    expect(await threads.run(order("echo"))).toMatchObject({ value: 7 });
  });

  it("let short jobs pass a long one", async () => {
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

  it("abort a job if its caller leaves", async () => {
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

  it("report when too many wait", async () => {
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

  it("leave the work to the main thread if they are not usable", async () => {
    await using started = startThreads(2, UNUSABLE);
    const { threads, logs } = started;

    await expect(threads.run(order("echo"))).rejects.toBeInstanceOf(ThreadsUnusable);

    expect(threads.isUsable).toBe(false);
    expect(logs.entries.map(({ message }) => message).join()).toContain("no storage");
  });

  it("are retried some time after a failed start, while queries run elsewhere", async () => {
    await using started = startThreads(2, UNUSABLE_FOR_NOW, { retryMs: 1 });
    const { threads, logs } = started;
    process.env.PLINTH_TEST_UNUSABLE = "1";
    await expect(threads.run(order("echo"))).rejects.toBeInstanceOf(ThreadsUnusable);
    delete process.env.PLINTH_TEST_UNUSABLE;

    while (!threads.isUsable) {
      threads.retryStart();
      await new Promise(setImmediate);
    }

    expect(await threads.run(order("echo"))).toEqual({ kind: "value", value: 7 });
    expect(logs.entries.map(({ message }) => message)).toContain(
      "queries run on worker threads again",
    );
  });

  it("are not retried before that", async () => {
    await using started = startThreads(2, UNUSABLE);
    const { threads, logs } = started;
    await expect(threads.run(order("echo"))).rejects.toBeInstanceOf(ThreadsUnusable);

    threads.retryStart();

    const starts = logs.entries.filter(({ message }) => message === "a query thread is starting");
    expect(starts).toHaveLength(1);
  });

  it("reject pending queries on close", async () => {
    const { threads } = startThreads(1);
    const waiting = threads.run(order("polite"));
    const end = expect(waiting).rejects.toThrow();

    await threads.close();

    await end;
  });
});
