import {
  command,
  createMemoryStorageDriver,
  defineContributionPoint,
  definePlugin,
  defineService,
  method,
  RpcError,
  t,
} from "@plinth/core";
import type { NodeKey } from "@plinth/core/network";
import { createTempFolder, createTestNode, FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createNode } from "./create-node.js";

const colors = defineContributionPoint<string>("paint.colors", { summary: "Colors." });
const Thing = defineService<object>("provider.thing");

describe("a disabled plugin", () => {
  it("has its signal aborted and its onStop run", async () => {
    const events: string[] = [];
    let signal: AbortSignal | undefined;
    const audit = definePlugin({
      name: "audit",
      setup(node) {
        node.onStart((runtime) => {
          signal = runtime.signal;
        });
        node.onStop(() => void events.push(`onStop, aborted ${signal?.aborted}`));
      },
    });
    await using node = await createTestNode({ plugins: [audit] });

    await node.disable("audit");

    expect(events).toEqual(["onStop, aborted true"]);
  });

  it("is not stopped again with the node", async () => {
    let stops = 0;
    const audit = definePlugin({
      name: "audit",
      setup(node) {
        node.onStop(() => {
          stops += 1;
        });
      },
    });
    const node = await createTestNode({ plugins: [audit] });

    await node.disable("audit");
    await node.stop();

    expect(stops).toBe(1);
  });

  it("has its tasks ended", async () => {
    const events: string[] = [];
    const audit = definePlugin({
      name: "audit",
      setup(node) {
        node.onStart(({ tasks, clock }) =>
          tasks.run("loop", async (signal) => {
            await clock.sleep(60_000, signal).catch(() => {});
            events.push("task ended");
          }),
        );
      },
    });
    await using node = await createTestNode({ plugins: [audit] });

    await node.disable("audit");

    expect(events).toEqual(["task ended"]);
  });

  it("has its taps skipped", async () => {
    let asked = 0;
    const guard = definePlugin({
      name: "guard",
      setup(node) {
        node.hooks.rpc.authorize.tap(() => {
          asked += 1;
          return RpcError.unauthorized();
        });
      },
    });
    await using node = await createTestNode({ plugins: [guard, greeter()] });
    await expect(node.rpc("greet_hello")).rejects.toMatchObject({ code: -40100 });

    await node.disable("guard");

    expect(await node.rpc("greet_hello")).toBe("hello");
    expect(asked).toBe(1);
  });

  it("has its methods removed, but not other plugins' methods", async () => {
    const other = definePlugin({
      name: "other",
      setup: (node) => node.rpc.namespace("greet", { bye: hello("bye") }),
    });
    await using node = await createTestNode({ plugins: [greeter(), other], eth: false });

    await node.disable("greeter");

    await expect(node.rpc("greet_hello")).rejects.toMatchObject({ code: -32601 });
    expect(await node.rpc("greet_bye")).toBe("bye");
    expect(node.node.methods().map(({ fullName }) => fullName)).toEqual(["greet_bye"]);
  });

  it("has its contributions, commands and health checks removed", async () => {
    const audit = definePlugin({
      name: "audit",
      setup(node) {
        node.contribute(colors, "red");
        node.cli.command(
          command({ id: "audit", summary: "Audits.", flags: {}, run: async () => {} }),
        );
        node.health.check("audit", () => ({ status: "down" }));
      },
    });
    await using node = await createTestNode({ plugins: [audit] });

    await node.disable("audit");

    expect(node.node.contributions(colors)).toEqual([]);
    expect(node.node.commands()).toEqual([]);
    expect(await node.node.health()).toEqual({ status: "up", checks: [] });
  });

  it("no longer affects the health with its failed tasks", async () => {
    const audit = definePlugin({
      name: "audit",
      setup(node) {
        node.onStart(({ tasks }) => tasks.run("loop", () => Promise.reject(new Error("boom"))));
      },
    });
    await using node = await createTestNode({ plugins: [audit] });

    await node.disable("audit");

    expect(await node.node.health()).toEqual({ status: "up", checks: [] });
  });

  it("is announced to the others, with the reason", async () => {
    const seen: unknown[] = [];
    const logs = recordLogs();
    const watcher = definePlugin({
      name: "watcher",
      setup: (node) => node.hooks.lifecycle.pluginDisabled.tap((event) => void seen.push(event)),
    });
    await using node = await createTestNode({ plugins: [greeter(), watcher], logs });

    await node.node.disable("greeter", "it is noisy");

    expect(seen).toEqual([{ plugin: "greeter", reason: "it is noisy" }]);
    expect(logs.entries).toMatchObject([
      { level: "warn", message: "plugin greeter was disabled: it is noisy" },
    ]);
  });

  it("is abandoned if its onStop takes longer than 30 seconds", async () => {
    const clock = new FakeClock();
    const logs = recordLogs();
    const slow = definePlugin({
      name: "slow",
      setup: (node) => node.onStop(() => new Promise(() => {})),
    });
    await using node = await createTestNode({ plugins: [slow], clock, logs });

    const disabled = node.disable("slow");
    await clock.advance(30_000);
    await disabled;

    expect(logs.entries).toMatchObject([
      { message: "Service slow did not shut down cleanly" },
      { message: "plugin slow was disabled: asked to" },
    ]);
  });
});

describe("disabling is rejected", () => {
  it("for an essential plugin, which continues", async () => {
    const vital = definePlugin({
      name: "vital",
      essential: true,
      setup: (node) => node.rpc.namespace("greet", { hello: hello() }),
    });
    await using node = await createTestNode({ plugins: [vital] });

    await expect(node.disable("vital")).rejects.toMatchObject({
      code: "PLUGIN_NOT_DISABLED",
      plugin: "vital",
    });
    expect(await node.rpc("greet_hello")).toBe("hello");
  });

  it("for a provider that is used, until its user is gone", async () => {
    const provider = definePlugin({
      name: "provider",
      provides: [Thing],
      setup: (node) => node.services.provide(Thing, () => ({})),
    });
    const consumer = definePlugin({
      name: "consumer",
      dependencies: { thing: Thing },
      setup: () => {},
    });
    await using node = await createTestNode({ plugins: [provider, consumer] });

    await expect(node.disable("provider")).rejects.toMatchObject({ code: "PLUGIN_NOT_DISABLED" });
    await node.disable("consumer");

    await expect(node.disable("provider")).resolves.toBeUndefined();
  });

  it("for the owner of the storage driver in use, not for that of another", async () => {
    await using folder = await createTempFolder();
    const storage = (name: string) =>
      definePlugin({
        name: `storage-${name}`,
        setup: (node) => node.storage.driver({ ...createMemoryStorageDriver(), name }),
      });
    await using node = await createTestNode({
      plugins: [storage("used"), storage("unused")],
      options: { keyValueStorage: "used", dataPath: folder.path },
    });

    await expect(node.disable("storage-used")).rejects.toMatchObject({
      code: "PLUGIN_NOT_DISABLED",
      message: "storage-used owns the storage driver used, which the node is using",
    });
    await expect(node.disable("storage-unused")).resolves.toBeUndefined();
  });

  it("for the owner of the key driver in use", async () => {
    await using folder = await createTempFolder();
    const keys = definePlugin({
      name: "keys",
      setup: (node) => node.keys.driver({ name: "vault", open: async () => ({}) as NodeKey }),
    });
    await using node = await createTestNode({
      plugins: [keys],
      options: { securityModule: "vault", dataPath: folder.path },
    });

    await expect(node.disable("keys")).rejects.toMatchObject({
      code: "PLUGIN_NOT_DISABLED",
      message: "keys owns the key driver vault, which the node is using",
    });
  });

  it.each(["unknown", "core"])("for %s, which is not loaded", async (name) => {
    await using node = await createTestNode({
      plugins: [greeter()],
      genesis: { config: { dev: {} } },
    });

    await expect(node.disable(name)).rejects.toMatchObject({
      code: "PLUGIN_NOT_DISABLED",
      message: expect.stringContaining(`no loaded plugin is called "${name}"; loaded are greeter`),
    });
  });

  it("the second time", async () => {
    await using node = await createTestNode({ plugins: [greeter()] });
    await node.disable("greeter");

    await expect(node.disable("greeter")).rejects.toMatchObject({ code: "PLUGIN_NOT_DISABLED" });
  });

  it("before the node runs", async () => {
    const node = await createNode({ plugins: [greeter()] });

    await expect(node.disable("greeter")).rejects.toMatchObject({ code: "PHASE_WRONG" });
  });
});

function greeter() {
  return definePlugin({
    name: "greeter",
    setup: (node) => node.rpc.namespace("greet", { hello: hello() }),
  });
}

function hello(text = "hello") {
  return method({ summary: "Says hello.", result: t.text, handle: () => text });
}
