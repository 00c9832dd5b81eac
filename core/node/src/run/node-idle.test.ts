import { definePlugin, defineService, method, optional, t, unavailable } from "@plinth/core";
import { createTestNode, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const Signers = defineService<readonly string[]>("clique.signers");
const REASON = "this chain is not sealed by signers";

const provider = definePlugin({
  name: "clique",
  provides: [Signers],
  setup(node) {
    node.rpc.namespace("provider", { hello: hello() });
    node.services.provide(Signers, () => unavailable(REASON));
  },
});

describe("a plugin whose service is unavailable", () => {
  it("rejects its methods with -32604 and the reason", async () => {
    const { plugin } = dependent();
    await using node = await createTestNode({ plugins: [provider, plugin] });

    await expect(node.rpc("greet_hello")).rejects.toMatchObject({
      code: -32604,
      message: `Method not enabled: ${REASON}`,
    });
  });

  it("is neither started nor stopped, and its taps and checks are skipped", async () => {
    const { plugin, events } = dependent();
    const node = await createTestNode({ plugins: [provider, plugin] });

    const health = await node.node.health();
    await node.stop();

    expect(health).toEqual({ status: "up", checks: [] });
    expect(events).toEqual(["registered"]);
  });

  it("is logged as idle", async () => {
    const logs = recordLogs();
    const { plugin } = dependent();
    await using _ = await createTestNode({ plugins: [provider, plugin], logs });

    expect(logs.entries).toMatchObject([
      { level: "debug", message: `dependent is idle: ${REASON}` },
    ]);
  });

  it("can be disabled, and is not stopped for it either", async () => {
    const { plugin, events } = dependent();
    await using node = await createTestNode({ plugins: [provider, plugin] });

    await node.disable("dependent");

    await expect(node.rpc("greet_hello")).rejects.toMatchObject({ code: -32601 });
    expect(events).toEqual(["registered"]);
  });

  it("makes its dependents idle in turn", async () => {
    const Votes = defineService<object>("votes.votes");
    const votes = definePlugin({
      name: "votes",
      dependencies: { signers: Signers },
      provides: [Votes],
      setup: (node) =>
        node.services.provide(Votes, () => {
          throw new Error("must not run");
        }),
    });
    const last = definePlugin({
      name: "last",
      dependencies: { votes: Votes },
      setup: (node) => node.rpc.namespace("last", { hello: hello() }),
    });
    await using node = await createTestNode({ plugins: [provider, votes, last] });

    await expect(node.rpc("last_hello")).rejects.toMatchObject({
      code: -32604,
      message: `Method not enabled: ${REASON}`,
    });
  });

  it("leaves its provider and all others active", async () => {
    const { plugin } = dependent();
    const other = definePlugin({
      name: "other",
      setup: (node) => node.rpc.namespace("other", { hello: hello() }),
    });
    await using node = await createTestNode({ plugins: [provider, plugin, other] });

    expect(await node.rpc("provider_hello")).toBe("hello");
    expect(await node.rpc("other_hello")).toBe("hello");
  });

  it("is active if the service is optional", async () => {
    const modest = definePlugin({
      name: "modest",
      dependencies: { signers: optional(Signers) },
      setup(node) {
        node.rpc.namespace("modest", {
          hasSigners: method({
            summary: "Returns whether there are signers.",
            result: t.boolean,
            handle: (_, { signers }: { signers: readonly string[] | undefined }) =>
              signers !== undefined,
          }),
        });
      },
    });
    await using node = await createTestNode({ plugins: [provider, modest] });

    expect(await node.rpc("modest_hasSigners")).toBe(false);
  });
});

describe("a dependency", () => {
  it("may be marked idle without making its plugin idle", async () => {
    const Idle = defineService<string>("idle.word");
    const idle = definePlugin({
      name: "idle",
      provides: [Idle],
      setup: (node) => node.services.provide(Idle, () => "not idle at all"),
    });
    const user = definePlugin({
      name: "user",
      dependencies: { idle: Idle },
      setup(node) {
        node.rpc.namespace("user", {
          word: method({
            summary: "Says the word.",
            result: t.text,
            handle: (_, { idle }: { idle: string }) => idle,
          }),
        });
      },
    });
    await using node = await createTestNode({ plugins: [idle, user] });

    expect(await node.rpc("user_word")).toBe("not idle at all");
  });
});

function dependent() {
  const events: string[] = [];
  const plugin = definePlugin({
    name: "dependent",
    dependencies: { signers: Signers },
    setup(node) {
      node.rpc.namespace("greet", { hello: hello() });
      node.onStart(() => void events.push("onStart"));
      node.onStop(() => void events.push("onStop"));
      node.hooks.lifecycle.registered.tap(() => void events.push("registered"));
      node.hooks.lifecycle.opened.tap(() => void events.push("opened"));
      node.hooks.lifecycle.ready.tap(() => void events.push("ready"));
      node.hooks.lifecycle.stopping.tap(() => void events.push("stopping"));
      node.health.check("signers", ({ signers }) => {
        events.push("check");
        return { status: signers.length > 0 ? "up" : "down" };
      });
    },
  });
  return { plugin, events };
}

function hello() {
  return method({ summary: "Says hello.", result: t.text, handle: () => "hello" });
}
