import { once } from "node:events";
import { connect } from "node:net";
import { definePlugin, method, t } from "@plinth/core";
import { createGate, createInside, FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { openSocket, post, startGuardedNode } from "../support/guarded-node.js";

const CALL = { jsonrpc: "2.0", id: 1, method: "net_version", params: [] };
const QUERY = { query: "{ block { number } }" };
const LIMITED = (ms: unknown) => ({ code: -32005, data: { retryAfterMs: ms } });

describe("the rate of a client", () => {
  it("is limited by the cost of calls, with the time to wait", async () => {
    const clock = new FakeClock(Date.now());
    const logs = recordLogs();
    const inside = createInside();
    const options = { rpcClientRateLimit: 2, rpcClientRateBurst: 5 };
    await using node = await startGuardedNode(options, { clock, logs, plugins: [inside.plugin] });

    const batch = await post(node.http, Array(7).fill(CALL));
    const refused = await post(node.http, CALL);
    await clock.advance(500);
    const allowed = await post(node.http, CALL);

    const codes = (batch.json as { error?: { code: number } }[]).map(({ error }) => error?.code);
    expect(codes).toEqual([...Array(5).fill(undefined), -32005, -32005]);
    expect([batch.status, refused.status, allowed.status]).toEqual([200, 429, 200]);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.json).toMatchObject({
      id: 1,
      error: {
        ...LIMITED(500),
        message: "Rate limit of this client exceeded; try again in 0.5 s",
      },
    });
    const metric = inside
      .runtime()
      .metrics.collect()
      .find(({ name }) => name === "plinth_transport_http_calls_limited_total");
    expect(metric?.samples).toEqual([{ labels: { limit: "rate" }, value: 3 }]);
    const denied = logs.entries.filter(({ message }) => message === "denied");
    expect(denied.map(({ fields }) => fields.reason)).toEqual(Array(3).fill("limited"));
  });

  it("is limited over WebSocket and GraphQL, too", async () => {
    const clock = new FakeClock(Date.now());
    const options = { rpcClientRateLimit: 1, rpcClientRateBurst: 5 };
    await using node = await startGuardedNode(options, { clock });
    using socket = await openSocket(node.ws);

    const answers = (await socket.ask(Array(6).fill(CALL))) as object[];
    const first = await post(node.graphql, QUERY, { path: "/graphql" });
    const second = await post(node.graphql, QUERY, { path: "/graphql" });

    expect(answers.at(-1)).toMatchObject({ error: LIMITED(1000) });
    expect([first.status, second.status]).toEqual([200, 429]);
    expect(second.headers.get("retry-after")).toBe("5");
    expect(second.json).toMatchObject({ errors: [{ extensions: { errorCode: -32005 } }] });
  });

  it("is that of the client behind a trusted proxy", async () => {
    const clock = new FakeClock(Date.now());
    const options = {
      rpcClientRateLimit: 1,
      rpcClientRateBurst: 1,
      rpcTrustedProxies: ["127.0.0.1"],
    };
    await using node = await startGuardedNode(options, { clock });
    const from = async (address: string) =>
      (await post(node.http, CALL, { headers: { "x-forwarded-for": address } })).status;

    expect([
      await from("198.51.100.1"),
      await from("198.51.100.1"),
      await from("198.51.100.2"),
      await from("198.51.100.3, 198.51.100.2"),
    ]).toEqual([200, 429, 200, 429]);
  });

  it("is that of the connection if no proxy is trusted", async () => {
    const clock = new FakeClock(Date.now());
    await using node = await startGuardedNode(
      { rpcClientRateLimit: 1, rpcClientRateBurst: 1 },
      { clock },
    );
    const from = async (address: string) =>
      (await post(node.http, CALL, { headers: { "x-forwarded-for": address } })).status;

    expect([await from("198.51.100.1"), await from("198.51.100.2")]).toEqual([200, 429]);
  });
});

describe("long calls of a client", () => {
  it("are limited while they run", async () => {
    const gate = createGate();
    let started = 0;
    const slow = definePlugin({
      name: "rpc-slow",
      setup(node) {
        node.rpc.namespace("slow", {
          trace: method({
            summary: "Takes long.",
            result: t.boolean,
            offload: "long",
            handle() {
              started += 1;
              return gate.opened.then(() => true);
            },
          }),
        });
      },
    });
    const options = { rpcClientMaxHeavyCalls: 2, rpcHttpApi: ["NET", "SLOW"] };
    await using node = await startGuardedNode(options, { plugins: [slow] });
    const call = { ...CALL, method: "slow_trace" };
    const running = [post(node.http, call), post(node.http, call)];
    while (started < 2) await post(node.http, CALL);

    const refused = await post(node.http, call);
    const light = await post(node.http, CALL);
    gate.open();
    const done = await Promise.all(running);
    const after = await post(node.http, call);

    expect(refused.json).toMatchObject({ error: LIMITED(1000) });
    expect([light.status, after.status]).toEqual([200, 200]);
    expect(done.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe("connections of an address", () => {
  it("are limited; a closed one frees a slot", async () => {
    await using node = await startGuardedNode({ rpcClientMaxConnections: 2 });
    const open = async () => {
      const socket = connect(node.http, "127.0.0.1");
      const closed = new Promise<string>((resolve) =>
        socket.once("close", () => resolve("closed")),
      );
      await once(socket, "connect");
      // A connection with a request stays open.
      socket.write("GET /liveness HTTP/1.1\r\nhost: localhost\r\n\r\n");
      const served = once(socket, "data").then(() => "served");
      return {
        socket,
        outcome: await Promise.race([closed, served.catch(() => "closed")]),
        closed,
      };
    };
    const first = await open();
    const second = await open();
    const third = await open();
    first.socket.destroy();
    await first.closed;

    const retry = async (): Promise<string> => {
      const next = await open();
      next.socket.destroy();
      return next.outcome === "served" ? "served" : retry();
    };

    expect([first, second, third].map(({ outcome }) => outcome)).toEqual([
      "served",
      "served",
      "closed",
    ]);
    expect(await retry()).toBe("served");
    second.socket.destroy();
  });
});
