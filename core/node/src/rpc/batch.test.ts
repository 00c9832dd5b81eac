import type { RpcClient } from "@plinth/core";
import type { Part } from "@plinth/core/rpc";
import {
  Endpoint,
  ListenerBudget,
  type Response,
  type ResponseLimit,
  respondWith,
  respondWithError,
} from "@plinth/core/rpc";
import { describe, expect, it } from "vitest";
import { answerBatch, type RespondTo } from "./batch.js";
import { Body } from "./body.js";

const LARGE = `"${"x".repeat(100_000)}"`;

function setUp(maxBatchBytes = 1_000_000) {
  const exceeded: ResponseLimit[] = [];
  const limits = { response: 1e6, batch: maxBatchBytes, connection: 1e6, total: 1e6 };
  const budget = new ListenerBudget(limits, (limit) => exceeded.push(limit)).open(() => {});
  const closed = new AbortController();
  const endpoint = new Endpoint({
    name: "test",
    transport: "test",
    namespaces: [],
    duplex: true,
    maxBatchSize: 0,
  });
  const client: RpcClient = { endpoint, budget, closed: closed.signal };
  const executed: unknown[] = [];
  const answer = (members: readonly unknown[], respond: RespondTo) =>
    answerBatch(
      members,
      (member, refusal) => {
        if (refusal !== undefined) return respondWithError(String(member), refusal);
        executed.push(member);
        return respond(member, undefined);
      },
      new Body("", client),
    );
  return { answer, executed, exceeded, budget, leave: () => closed.abort() };
}

describe("a batch", () => {
  it("with short responses is one text, at once if its members are synchronous", () => {
    const batch = setUp().answer([1, 2], (id) => respondWith(String(id), "true"));

    expect(batch).toMatchObject({
      parts: ['[{"jsonrpc":"2.0","id":1,"result":true},{"jsonrpc":"2.0","id":2,"result":true}]'],
    });
  });

  it("executes a member when the responses before it were consumed", async () => {
    const { answer, executed, budget } = setUp();
    const { parts } = await answer([1, 2, 3], (id) => {
      budget.claim(LARGE.length);
      return withRelease(respondWith(String(id), LARGE), () => budget.release(LARGE.length));
    });
    const pieces = piecesOf(parts);

    const seen: [number, number][] = [];
    let text = "";
    for await (const piece of pieces) {
      text += piece;
      if (piece.length > LARGE.length) seen.push([executed.length, budget.heldBytes]);
    }

    expect(seen).toEqual([1, 2, 3].map((count) => [count, LARGE.length]));
    expect(budget.heldBytes).toBe(0);
    expect(JSON.parse(text).map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
  });

  it("returns errors for the members after the one that exceeds the limit", async () => {
    const { answer, executed, exceeded } = setUp(150_000);

    const { parts } = await answer([1, 2, 3, 4], (id) => respondWith(String(id), LARGE));
    const responses = JSON.parse(await join(parts));

    expect(responses).toMatchObject([
      { id: 1, result: JSON.parse(LARGE) },
      { id: 2, result: JSON.parse(LARGE) },
      { id: 3, error: { code: -32003, message: "Response too large" } },
      { id: 4, error: { code: -32003 } },
    ]);
    expect([executed, exceeded]).toEqual([
      [1, 2],
      ["batch", "batch"],
    ]);
  });

  it("counts what streamed members write", async () => {
    const { answer, executed } = setUp(150_000);
    const streamed = () =>
      (async function* () {
        yield LARGE.slice(0, 10);
        yield LARGE.slice(10);
      })();

    const { parts } = await answer([1, 2, 3], (id) => respondWith(String(id), streamed()));

    expect(JSON.parse(await join(parts))[2]).toMatchObject({ error: { code: -32003 } });
    expect(executed).toEqual([1, 2]);
  });

  it("stops executing when the caller has disconnected", async () => {
    const { answer, executed, leave } = setUp();
    const { parts } = await answer([1, 2, 3], (id) => respondWith(String(id), LARGE));

    for await (const _ of piecesOf(parts)) leave();

    expect(executed).toEqual([1]);
  });

  it("yields the thread between its members", async () => {
    const { answer } = setUp();
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);

    await answer([1, 2, 3, 4, 5], (id) => {
      const end = performance.now() + 12;
      while (performance.now() < end);
      return respondWith(String(id), "true");
    });
    clearImmediate(timer);

    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it("keeps the order if some of its members wait", async () => {
    const { executed, ...batch } = setUp();
    const later = async (id: unknown) => {
      await new Promise((resolve) => setImmediate(resolve));
      return respondWith(String(id), String(executed.length));
    };

    const { parts } = await batch.answer([1, 2, 3, 4], (id) =>
      id === 2 || id === 3 ? later(id) : respondWith(String(id), "0"),
    );

    expect(JSON.parse(await join(parts))).toMatchObject([
      { id: 1 },
      { id: 2, result: 2 },
      { id: 3, result: 3 },
      { id: 4 },
    ]);
  });

  it("calls back once for every member that waits for its response", async () => {
    const { answer } = setUp();
    const followed: unknown[] = [];

    const { sent } = await answer([1, 2], (id) => ({
      ...respondWith(String(id), "1"),
      sent: () => followed.push(id),
    }));
    sent?.();

    expect(followed).toEqual([1, 2]);
  });
});

function withRelease(response: Response, release: () => void): Response {
  return { ...response, release };
}

async function* piecesOf(parts: readonly Part[]): AsyncGenerator<string | Uint8Array> {
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Uint8Array) yield part;
    else yield* part;
  }
}

async function join(parts: readonly Part[]): Promise<string> {
  let text = "";
  for await (const piece of piecesOf(parts)) text += String(piece);
  return text;
}
