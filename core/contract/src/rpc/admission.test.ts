import { Dispatcher, Namespaces } from "@plinth/node";
import { recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { t } from "../codec/ethereum.js";
import { HookFactory } from "../kernel/hooks.js";
import type { ClaimedCall } from "./call-budget.js";
import type { RpcClient } from "./client.js";
import { COMPATIBILITIES } from "./compatibility.js";
import { Endpoint } from "./endpoint.js";
import { LimitExceeded, RpcError } from "./errors.js";
import { createRpcHooks } from "./hooks.js";
import { method, stream } from "./method.js";

const REQUEST = '{"id":7,"method":"test_short"}';
const UNAUTHORIZED = { code: -40100, message: "Unauthorized" };

describe("rpc.admit", () => {
  it.each([
    ["a request", REQUEST],
    ["a batch", `[${REQUEST}]`],
    ["invalid JSON", "{"],
  ])("rejects %s as a whole, before it is parsed", async (_, body) => {
    const { send, hooks, ran } = setUp();
    hooks.admit.facade("guard").tap(() => RpcError.unauthorized());

    const { outcome, json } = await send(body);

    expect([outcome, json]).toEqual(["refused", { jsonrpc: "2.0", id: null, error: UNAUTHORIZED }]);
    expect(ran).toEqual([]);
  });

  it("is not asked again about a client that its listener has asked about", async () => {
    const { hooks, dispatcher, client } = setUp();
    let asked = 0;
    hooks.admit.facade("guard").tap(async () => {
      asked += 1;
      return asked > 1 ? RpcError.unauthorized() : undefined;
    });

    const refusal = await dispatcher.admit(client);
    const { outcome } = await dispatcher.answer(REQUEST, { ...client, isAdmitted: true });

    expect([refusal, outcome, asked]).toEqual([undefined, "answered", 1]);
  });

  it("identifies the caller for what follows", async () => {
    const { send, hooks } = setUp();
    const identity = { name: "alice", permissions: ["test:short"] };
    hooks.admit.facade("guard").tap(({ client }) => {
      client.identity = identity;
      return undefined;
    });
    const seen: unknown[] = [];
    hooks.authorize.facade("other").tap(({ client }) => {
      seen.push(client.identity);
      return undefined;
    });

    await send(REQUEST);

    expect(seen).toEqual([identity]);
  });

  it("rejects if it fails, without details", async () => {
    const { send, hooks, ran } = setUp();
    hooks.admit.facade("guard").tap(() => {
      throw new Error("secret");
    });

    const { json } = await send(REQUEST);

    expect(json).toMatchObject({ id: null, error: { code: -32603, message: "Internal error" } });
    expect(ran).toEqual([]);
  });
});

describe("rpc.denied", () => {
  it("receives rejected calls, and no others", async () => {
    const { send, hooks } = setUp();
    hooks.authorize
      .facade("guard")
      .tap(({ method: name }) => (name === "test_long" ? RpcError.unauthorized() : undefined));
    const seen: unknown[] = [];
    hooks.denied.facade("log").tap(({ method: name, error }) => {
      seen.push([name, error.rpcCode]);
    });

    await send(
      '[{"id":1,"method":"test_long"},{"id":2,"method":"test_short"},{"id":3,"method":"x_y"}]',
    );

    expect(seen).toEqual([["test_long", -40100]]);
  });

  it("receives bodies that are rejected as a whole", async () => {
    const { send, hooks } = setUp();
    hooks.admit.facade("guard").tap(() => RpcError.unauthorized());
    const seen: unknown[] = [];
    hooks.denied
      .facade("log")
      .tap(({ method: name, error }) => void seen.push([name, error.rpcCode]));

    await send(REQUEST);

    expect(seen).toEqual([[undefined, -40100]]);
  });
});

describe("the budget of a client", () => {
  it("is charged for each call, by the time it may take", async () => {
    const claims: ClaimedCall[] = [];
    const claim = (call: ClaimedCall) => {
      claims.push(call);
      return () => {};
    };
    const { send } = setUp({ claim });

    await send(
      '[{"id":1,"method":"test_short"},{"id":2,"method":"test_long"},{"id":3,"method":"x_y"}]',
    );

    expect(claims).toEqual([
      { cost: 1, isHeavy: false, identity: undefined },
      { cost: 20, isHeavy: true, identity: undefined },
    ]);
  });

  it("rejects with the time to wait, and the handler does not run", async () => {
    const { send, ran } = setUp({ claim: () => new LimitExceeded("Too much", 1500) });

    const { outcome, retryAfterMs, json } = await send(REQUEST);

    expect([outcome, retryAfterMs]).toEqual(["limited", 1500]);
    const error = {
      code: -32005,
      message: "Too much; try again in 2 s",
      data: { retryAfterMs: 1500 },
    };
    expect(json).toEqual({ jsonrpc: "2.0", id: 7, error });
    expect(ran).toEqual([]);
  });

  it.each([
    ["that succeeds", "test_short"],
    ["that fails", "test_fail"],
    ["that is rejected", "test_long"],
  ])("is released by a call %s", async (_, name) => {
    const { claim, running } = counting();
    const { send, hooks } = setUp({ claim });
    hooks.authorize
      .facade("guard")
      .tap(({ method: asked }) => (asked === "test_long" ? RpcError.unauthorized() : undefined));

    await send(JSON.stringify({ id: 1, method: name }));

    expect(running()).toBe(0);
  });

  it.each([
    ["it was sent", (sent: () => void) => sent()],
    ["the caller has disconnected", (_: () => void, leave: () => void) => leave()],
  ])("is released after a stream when %s", async (_, finish) => {
    const { claim, running } = counting();
    const leaving = new AbortController();
    const { dispatcher, client } = setUp({ claim }, leaving.signal);
    const { release } = await dispatcher.answer('{"id":1,"method":"test_stream"}', client);
    const before = running();

    finish(
      () => release?.(),
      () => leaving.abort(),
    );

    expect([before, running()]).toEqual([1, 0]);
  });
});

describe("a call that is not a method", () => {
  it("is admitted by the same plugins and limits", async () => {
    const { dispatcher, hooks, client } = setUp(counting());
    hooks.authorize
      .facade("guard")
      .tap(({ permission }) => (permission === "other:no" ? RpcError.unauthorized() : undefined));
    const ask = (permission: string) =>
      dispatcher.authorize({ method: "other", permission, client, params: {} }, 5);

    expect(await ask("other:yes")).toEqual({ end: expect.any(Function) });
    expect(await ask("other:no")).toMatchObject({ refusal: { rpcCode: -40100 } });
  });
});

function counting() {
  let count = 0;
  return {
    running: () => count,
    claim: () => {
      count += 1;
      let isEnded = false;
      return () => {
        if (!isEnded) count -= 1;
        isEnded = true;
      };
    },
  };
}

function setUp(calls?: RpcClient["calls"], closed = new AbortController().signal) {
  const ran: string[] = [];
  const hooks = createRpcHooks(
    new HookFactory({ ownerOf: () => ({ active: true }), failed: () => {} }),
  );
  const namespaces = new Namespaces(() => true);
  const running = (name: string) => {
    ran.push(name);
    return "done";
  };
  const summary = "Tests.";
  namespaces.register({
    plugin: "rpc-test",
    namespace: "test",
    exposure: "always",
    methods: {
      short: method({ summary, result: t.text, handle: () => running("short") }),
      long: method({ summary, result: t.text, offload: "long", handle: () => running("long") }),
      fail: method({
        summary,
        result: t.text,
        handle: async () => {
          throw new Error("broken");
        },
      }),
      stream: method({
        summary,
        result: t.text,
        handle: () =>
          stream(
            (async function* () {
              yield '"done"';
            })(),
          ),
      }),
    },
  });
  const endpoint = new Endpoint({
    name: "test",
    transport: "test",
    namespaces: [],
    duplex: false,
    maxBatchSize: 10,
  });
  const client: RpcClient = { endpoint, closed, calls };
  const dispatcher = new Dispatcher({
    namespaces,
    hooks,
    callFor: () => ({ call: { client } }),
    log: recordLogs().for("rpc"),
    compatibility: COMPATIBILITIES.plinth,
  });
  const send = async (body: string) => {
    const { parts, ...rest } = await dispatcher.answer(body, client);
    return { ...rest, json: JSON.parse(parts.join("")) };
  };
  return { dispatcher, send, hooks, client, ran };
}
