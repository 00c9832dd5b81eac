import { encodeRlp, type ProtocolPeer, RlpError } from "@plinth/core";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { codecsOf } from "./codec/index.js";
import { RequestFailed, Requests } from "./requests.js";

const { getBlockBodies, blockBodies } = codecsOf(68);
const KIND = { ask: getBlockBodies, response: blockBodies };
const BODY = { transactions: [], uncles: [] };
const HASH = `0x${"11".repeat(32)}` as const;

function createRequests() {
  const clock = new FakeClock(0);
  const sent: bigint[] = [];
  const reports: string[] = [];
  const ending = new AbortController();
  const peer = {
    signal: ending.signal,
    send(_code: number, payload: Uint8Array) {
      sent.push(getBlockBodies.decode(payload).id);
      return !ending.signal.aborted;
    },
    report: ({ outcome }: { readonly outcome: string }) => void reports.push(outcome),
  } as unknown as ProtocolPeer;
  const requests = new Requests(peer, clock);
  const answer = (id: bigint) =>
    requests.received(blockBodies.code, blockBodies.encode({ id, body: [BODY] }));
  return { clock, sent, reports, requests, answer, end: () => ending.abort() };
}

describe("requests to a peer", () => {
  it("are matched to responses by id, in any order", async () => {
    const { requests, sent, answer } = createRequests();
    const [first, second] = [requests.run(KIND, [HASH]), requests.run(KIND, [HASH])];
    await Promise.resolve();

    await Promise.all([answer(2n), answer(1n)]);

    expect(await Promise.all([first, second])).toEqual([[BODY], [BODY]]);
    expect(sent).toEqual([1n, 2n]);
  });

  it("fail after five seconds, which is reported", async () => {
    const { clock, requests, reports } = createRequests();
    const request = expect(requests.run(KIND, [HASH])).rejects.toThrow(
      /no response to GetBlockBodies within 5000 ms/,
    );

    await clock.advance(5_000);

    await request;
    expect(reports).toEqual(["timeout"]);
    expect(requests.size).toBe(0);
  });

  it("fail on a response with more than was requested, which is not decoded to its end", async () => {
    const { requests } = createRequests();
    const failed = expect(requests.run(KIND, [HASH], 1)).rejects.toThrow(/is malformed/);
    await Promise.resolve();
    // Empty bodies have three bytes: 10 MiB of them would be three million.
    const body = Array.from({ length: 3_000 }, () => BODY);
    const payload = blockBodies.encode({ id: 1n, body });

    const answered = requests.received(blockBodies.code, payload);
    await expect(answered).rejects.toThrow("BlockBodies: more than 1 items");

    await failed;
  });

  it("wait while five are in flight", async () => {
    const { requests, sent, answer } = createRequests();
    const running = Array.from({ length: 7 }, () => requests.run(KIND, [HASH]));
    await Promise.resolve();
    expect(sent).toHaveLength(5);

    for (let id = 1n; id <= 5n; id++) await answer(id);
    await Promise.all(running.slice(0, 5));
    await answer(6n);
    await answer(7n);

    await Promise.all(running);
    expect(sent).toHaveLength(7);
  });

  it("ignore responses without a request", async () => {
    const { requests, answer } = createRequests();

    expect(requests.awaits(blockBodies.code)).toBe(false);
    await expect(answer(9n)).resolves.toBeUndefined();
  });

  it("fail if a response is malformed, and the peer must be disconnected", async () => {
    const { requests } = createRequests();
    const request = requests.run(KIND, [HASH]);
    const rejected = expect(request).rejects.toThrow(RequestFailed);
    await Promise.resolve();

    await expect(
      requests.received(blockBodies.code, encodeRlp([Uint8Array.of(1), Uint8Array.of(7)])),
    ).rejects.toThrow(RlpError);
    await rejected;
  });

  it("fail at once if the connection ends, including queued ones", async () => {
    const { requests, end } = createRequests();
    const running = Array.from({ length: 7 }, () => requests.run(KIND, [HASH]));
    const all = Promise.allSettled(running);

    end();

    expect((await all).every(({ status }) => status === "rejected")).toBe(true);
  });
});
