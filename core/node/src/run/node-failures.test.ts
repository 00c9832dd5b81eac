import {
  ConfigError,
  definePlugin,
  defineService,
  method,
  option,
  RpcError,
  t,
} from "@plinth/core";
import { createTestNode, devChain, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createNode } from "./create-node.js";

const genesis = { config: { chainId: 1337, dev: {} } };
const memory = { keyValueStorage: "memory" };
const Thing = defineService<object>("broken.thing");

// The rows of the table "When a plugin fails" of the architecture document, in order.

describe("a failure while plugins are resolved or configured", () => {
  it("keeps the node from being created, as an error the operator can fix", async () => {
    const needy = definePlugin({ name: "needy", dependencies: { thing: Thing }, setup: () => {} });
    const strict = definePlugin({
      name: "strict",
      options: { strictLevel: option.integer({ summary: "A level.", min: 1 }) },
      setup: () => {},
    });

    const unresolved = createNode({ plugins: [needy] });
    const unconfigured = createNode({ plugins: [strict], options: { strictLevel: 0 } });

    await expect(unresolved).rejects.toBeInstanceOf(ConfigError);
    await expect(unconfigured).rejects.toBeInstanceOf(ConfigError);
  });
});

describe("a failure in setup, in a service factory or in onStart", () => {
  const cause = new Error("boom");

  it("in setup keeps the node from being created, naming plugin and phase", async () => {
    const broken = definePlugin({
      name: "broken",
      setup() {
        throw cause;
      },
    });

    await expect(createNode({ plugins: [broken] })).rejects.toMatchObject({
      code: "PLUGIN_FAILED",
      plugin: "broken",
      message: "broken failed in setup: boom",
      details: {
        phase: "setup",
        hints: [
          expect.stringMatching(/^at .*node-failures\.test\.ts:\d+:\d+$/),
          expect.stringContaining('without = ["broken"]'),
        ],
      },
      cause,
    });
  });

  it("in a service factory keeps the node from starting, naming plugin and phase", async () => {
    const broken = definePlugin({
      name: "broken",
      provides: [Thing],
      setup(node) {
        node.services.provide(Thing, () => Promise.reject(cause));
      },
    });
    const node = await createNode({ plugins: [broken, ...devChain], genesis, options: memory });

    await expect(node.start()).rejects.toMatchObject({
      code: "PLUGIN_FAILED",
      plugin: "broken",
      message: "broken failed in creating its services: boom",
      cause,
    });
    expect(await node.ended).toMatchObject({ reason: "failed to start" });
  });

  it.each<[string, () => void | Promise<void>]>([
    [
      "throws",
      () => {
        throw cause;
      },
    ],
    ["rejects", () => Promise.reject(cause)],
  ])(
    "in onStart that %s keeps the node from starting, naming plugin and phase",
    async (_, start) => {
      const broken = definePlugin({ name: "broken", setup: (node) => node.onStart(start) });
      const node = await createNode({ plugins: [broken, ...devChain], genesis, options: memory });

      await expect(node.start()).rejects.toMatchObject({
        code: "PLUGIN_FAILED",
        plugin: "broken",
        message: "broken failed in onStart: boom",
        details: { phase: "onStart" },
        cause,
      });
    },
  );

  it("with a typed error passes through", async () => {
    const error = new ConfigError("PORT_IN_USE", { message: "port 8545 is in use" });
    const broken = definePlugin({
      name: "broken",
      setup: (node) => node.onStart(() => Promise.reject(error)),
    });
    const node = await createNode({ plugins: [broken, ...devChain], genesis, options: memory });

    await expect(node.start()).rejects.toBe(error);
  });

  it("keeps later plugins from starting, and listeners closed", async () => {
    const events: string[] = [];
    const broken = definePlugin({
      name: "broken",
      setup: (node) => node.onStart(() => Promise.reject(cause)),
    });
    const next = definePlugin({
      name: "next",
      setup(node) {
        node.onStart(() => void events.push("next"));
        node.hooks.lifecycle.ready.tap(() => void events.push("ready"));
      },
    });
    const node = await createNode({
      plugins: [broken, next, ...devChain],
      genesis,
      options: memory,
    });

    await expect(node.start()).rejects.toThrow();

    expect(events).toEqual([]);
  });
});

describe("a failing tap of notify or observe", () => {
  it("of notify is reported with plugin, hook and count, and the flow continues", async () => {
    const logs = recordLogs();
    const error = new Error("boom");
    const broken = definePlugin({
      name: "broken",
      setup(node) {
        node.rpc.namespace("greet", { hello: hello() });
        node.hooks.rpc.called.tap(() => {
          throw error;
        });
      },
    });
    await using node = await createTestNode({ plugins: [broken], logs });

    expect(await node.rpc("greet_hello")).toBe("hello");
    expect(await node.rpc("greet_hello")).toBe("hello");

    const message = "broken failed in rpc.called: boom";
    expect(logs.entries).toMatchObject([
      { logger: "core", level: "error", message, fields: { count: 1, error } },
      { logger: "core", level: "error", message, fields: { count: 2, error } },
    ]);
  });

  it("of observe is reported, and the node stops anyway", async () => {
    const logs = recordLogs();
    const events: string[] = [];
    const broken = definePlugin({
      name: "broken",
      setup(node) {
        node.hooks.lifecycle.stopping.tap(() => Promise.reject(new Error("boom")));
        node.hooks.lifecycle.stopping.tap(() => void events.push("next tap"));
        node.onStop(() => void events.push("onStop"));
      },
    });
    const node = await createTestNode({ plugins: [broken], logs });

    await node.stop();

    expect(events).toEqual(["next tap", "onStop"]);
    expect(logs.entries).toMatchObject([
      { level: "error", message: "broken failed in lifecycle.stopping: boom" },
    ]);
  });
});

describe("a failing tap of check, decide or rewrite", () => {
  it.each(["opened", "ready"] as const)(
    "of check fails the flow it guards: lifecycle.%s",
    async (name) => {
      const events: string[] = [];
      const strict = definePlugin({
        name: "strict",
        setup(node) {
          node.onStart(() => void events.push("onStart"));
          node.onStop(() => void events.push("onStop"));
          node.hooks.lifecycle[name].tap(() => {
            throw new Error("boom");
          });
        },
      });
      const node = await createNode({ plugins: [strict, ...devChain], genesis, options: memory });

      await expect(node.start()).rejects.toMatchObject({
        code: "TAP_FAILED",
        plugin: "strict",
        message: `strict failed in lifecycle.${name}: boom`,
      });
      expect(events).toEqual(name === "opened" ? [] : ["onStart", "onStop"]);
    },
  );

  it("of decide rejects the call: rpc.authorize", async () => {
    const logs = recordLogs();
    let ran = false;
    const strict = definePlugin({
      name: "strict",
      setup(node) {
        node.rpc.namespace("greet", {
          hello: method({
            summary: "Says hello.",
            result: t.text,
            handle() {
              ran = true;
              return "hello";
            },
          }),
        });
        node.hooks.rpc.authorize.tap(() => {
          throw new Error("boom");
        });
      },
    });
    await using node = await createTestNode({ plugins: [strict], logs });

    await expect(node.rpc("greet_hello")).rejects.toMatchObject({ code: -32603 });
    expect(ran).toBe(false);
    expect(logs.entries).toMatchObject([
      { level: "error", fields: { error: { plugin: "strict" } } },
    ]);
  });

  it("of rewrite keeps the node from being created: rpc.method", async () => {
    const broken = definePlugin({
      name: "broken",
      setup(node) {
        node.rpc.namespace("greet", { hello: hello() });
        node.hooks.rpc.method.tap(() => {
          throw new Error("boom");
        });
      },
    });

    await expect(createNode({ plugins: [broken] })).rejects.toMatchObject({
      code: "TAP_FAILED",
      plugin: "broken",
    });
  });
});

describe("a failing RPC handler", () => {
  const failing = (error: unknown) =>
    definePlugin({
      name: "rpc-failing",
      setup(node) {
        node.rpc.namespace("fail", {
          now: method({ summary: "Fails.", result: t.text, handle: () => Promise.reject(error) }),
        });
      },
    });

  it("with an RpcError has it sent to the caller, and nothing logged", async () => {
    const logs = recordLogs();
    const plugins = [failing(new RpcError(3, "Execution reverted", "0x01"))];
    await using node = await createTestNode({ plugins, logs });

    await expect(node.rpc("fail_now")).rejects.toMatchObject({
      code: 3,
      message: "Execution reverted",
      data: "0x01",
    });
    expect(logs.entries).toEqual([]);
  });

  it("with any other error is -32603 for the caller and a full entry in the log", async () => {
    const logs = recordLogs();
    const error = new TypeError("a secret path");
    await using node = await createTestNode({ plugins: [failing(error)], logs });

    await expect(node.rpc("fail_now")).rejects.toMatchObject({
      code: -32603,
      message: "Internal error",
      data: undefined,
    });
    expect(logs.entries).toEqual([
      {
        logger: "rpc",
        level: "error",
        message: "fail_now failed: a secret path",
        fields: { owner: "rpc-failing", error },
      },
    ]);
  });
});

describe("a failing task", () => {
  const error = new Error("boom");

  it("is reported, degrades the health and leaves the node running", async () => {
    const logs = recordLogs();
    const watcher = definePlugin({
      name: "watcher",
      setup(node) {
        node.rpc.namespace("greet", { hello: hello() });
        node.onStart(({ tasks }) => tasks.run("watch", () => Promise.reject(error)));
      },
    });

    await using node = await createTestNode({ plugins: [watcher], logs });

    expect(logs.entries).toMatchObject([
      { level: "error", message: "task watch of watcher failed: boom", fields: { error } },
    ]);
    expect(await node.node.health()).toEqual({
      status: "degraded",
      checks: [{ plugin: "watcher", name: "watch", status: "degraded", detail: "boom" }],
    });
    expect(await node.rpc("greet_hello")).toBe("hello");
  });

  it("of an essential plugin stops the node, which ends with its error", async () => {
    const gate = aGate();
    const events: string[] = [];
    const vital = definePlugin({
      name: "vital",
      essential: true,
      setup(node) {
        node.onStart(({ tasks }) => tasks.run("beat", () => gate.opened));
        node.onStop(() => void events.push("onStop"));
      },
    });
    const node = await createTestNode({ plugins: [vital] });

    gate.fail(error);
    const end = await node.node.ended;

    expect(end).toEqual({ reason: "task beat of vital failed", error });
    expect(events).toEqual(["onStop"]);
  });

  it("of an essential plugin fails a start in progress before listeners open", async () => {
    const events: string[] = [];
    const vital = definePlugin({
      name: "vital",
      essential: true,
      setup(node) {
        node.onStart(({ tasks }) => tasks.run("beat", () => Promise.reject(error)));
        node.onStop(() => void events.push("vital onStop"));
        node.hooks.lifecycle.ready.tap(() => void events.push("ready"));
      },
    });
    const slow = definePlugin({
      name: "slow",
      setup: (node) =>
        node.onStart(async () => {
          await new Promise((resolve) => setImmediate(resolve));
          events.push("slow onStart");
        }),
    });
    const late = definePlugin({
      name: "late",
      setup: (node) => node.onStart(() => void events.push("late onStart")),
    });
    const plugins = [slow, vital, late];
    const node = await createNode({ plugins: [...plugins, ...devChain], genesis, options: memory });

    await expect(node.start()).rejects.toBe(error);

    expect(await node.ended).toEqual({ reason: "task beat of vital failed", error });
    expect(events).toEqual(["slow onStart", "vital onStop"]);
  });

  it("because the node stops is no failure", async () => {
    const logs = recordLogs();
    const watcher = definePlugin({
      name: "watcher",
      essential: true,
      setup(node) {
        node.onStart(({ tasks, clock }) =>
          tasks.run("watch", (signal) => clock.sleep(60_000, signal)),
        );
      },
    });
    const node = await createTestNode({ plugins: [watcher], logs });

    await node.stop();

    expect(logs.entries).toEqual([]);
    expect(await node.node.ended).toEqual({ reason: "asked to stop" });
  });
});

function hello() {
  return method({ summary: "Says hello.", result: t.text, handle: () => "hello" });
}

function aGate() {
  let fail = (_: unknown) => {};
  const opened = new Promise<void>((_, reject) => {
    fail = reject;
  });
  return { opened, fail };
}
