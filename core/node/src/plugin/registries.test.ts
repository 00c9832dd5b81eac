import type { Dependencies, PluginNode } from "@plinth/core";
import {
  command,
  createMemoryStorageDriver,
  defineContributionPoint,
  definePlugin,
  defineQuery,
  defineService,
  type Method,
  method,
  t,
} from "@plinth/core";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createNode } from "../run/create-node.js";

const Signers = defineService<string>("provider.signers");
const colors = defineContributionPoint<string>("paint.colors", { summary: "Colors." });

type AnyNode = PluginNode<Record<never, never>, Dependencies>;

describe("setup", () => {
  it("runs once per plugin, providers first, and before createNode returns", async () => {
    const ran: string[] = [];
    const consumer = definePlugin({
      name: "consumer",
      dependencies: { signers: Signers },
      setup: () => void ran.push("consumer"),
    });
    const provider = definePlugin({
      name: "provider",
      provides: [Signers],
      setup(node) {
        ran.push("provider");
        node.services.provide(Signers, () => "");
      },
    });
    const other = aPlugin("other", () => void ran.push("other"));

    await createNode({ plugins: [other, consumer, provider] });

    expect(ran).toEqual(["other", "provider", "consumer"]);
  });

  it("that is asynchronous is rejected", async () => {
    const slow = definePlugin({
      name: "slow",
      setup: (async () => {
        await Promise.resolve();
        throw new Error("this is not awaited");
      }) as () => void,
    });

    await expect(createNode({ plugins: [slow] })).rejects.toMatchObject({
      code: "PLUGIN_FAILED",
      plugin: "slow",
      details: { phase: "setup" },
    });
  });

  it("must provide the services that the plugin declares", async () => {
    const forgetful = definePlugin({ name: "forgetful", provides: [Signers], setup: () => {} });

    await expect(createNode({ plugins: [forgetful] })).rejects.toMatchObject({
      code: "SERVICE_NOT_PROVIDED",
      plugin: "forgetful",
    });
  });

  it("must not provide services that the plugin does not declare", async () => {
    const generous = aPlugin("generous", (node) => node.services.provide(Signers, () => ""));

    await expect(createNode({ plugins: [generous] })).rejects.toMatchObject({
      code: "SERVICE_UNDECLARED",
      plugin: "generous",
    });
  });
});

describe("registering late", () => {
  it.each<[string, (node: AnyNode) => void]>([
    ["a namespace", (node) => node.rpc.namespace("late", { hello: hello() })],
    ["a tap", (node) => node.hooks.lifecycle.ready.tap(() => {})],
    ["a contribution", (node) => node.contribute(colors, "red")],
    ["a service", (node) => node.services.provide(Signers, () => "")],
    ["onStart", (node) => node.onStart(() => {})],
    ["onStop", (node) => node.onStop(() => {})],
    ["a command", (node) => node.cli.command(aCommand("late"))],
    [
      "a storage driver",
      (node) => node.storage.driver({ ...createMemoryStorageDriver(), name: "x" }),
    ],
    ["a key driver", (node) => node.keys.driver({ name: "x", open: () => Promise.reject() })],
    ["a health check", (node) => node.health.check("late", () => ({ status: "up" }))],
  ])("%s is an error with the plugin's name", async (_, registerLate) => {
    let kept: AnyNode | undefined;
    const late = aPlugin("late", (node) => {
      kept = node;
    });
    await createNode({ plugins: [late] });

    expect(() => kept && registerLate(kept)).toThrowError(
      expect.objectContaining({ code: "REGISTRY_SEALED", plugin: "late" }),
    );
  });

  it("in onStart keeps the node from starting", async () => {
    const late = aPlugin("late", (node) => {
      node.onStart(() => node.rpc.namespace("late", { hello: hello() }));
    });

    await expect(createTestNode({ plugins: [late] })).rejects.toMatchObject({
      code: "REGISTRY_SEALED",
      plugin: "late",
    });
  });
});

describe("lifecycle.registered", () => {
  it("shows the contributions of all plugins", async () => {
    const seen: unknown[] = [];
    const first = aPlugin("first", (node) => {
      node.hooks.lifecycle.registered.tap(({ contributions, namespaces }) => {
        seen.push(contributions(colors), namespaces);
      });
    });
    const second = aPlugin("second", (node) => {
      node.contribute(colors, "red");
      node.rpc.namespace("greet", { hello: hello() });
    });

    await createNode({ plugins: [first, second] });

    expect(seen).toEqual([["red"], ["greet"]]);
  });

  it("runs before the registries are sealed", async () => {
    const late = aPlugin("late", (node) => {
      node.hooks.lifecycle.registered.tap(() => node.contribute(colors, "red"));
    });

    const node = await createNode({ plugins: [late] });

    expect(node.contributions(colors)).toEqual(["red"]);
  });

  it("can reject the node", async () => {
    const strict = aPlugin("strict", (node) => {
      node.hooks.lifecycle.registered.tap(() => {
        throw new Error("unknown API");
      });
    });

    await expect(createNode({ plugins: [strict] })).rejects.toMatchObject({
      code: "TAP_FAILED",
      plugin: "strict",
    });
  });
});

describe("namespaces", () => {
  it("can be shared by two plugins", async () => {
    const first = aPlugin("first", (node) => node.rpc.namespace("greet", { hello: hello("one") }));
    const second = aPlugin("second", (node) => node.rpc.namespace("greet", { bye: hello("two") }));

    await using node = await createTestNode({ plugins: [first, second] });

    expect(await node.rpc("greet_hello")).toBe("one");
    expect(await node.rpc("greet_bye")).toBe("two");
  });

  it("cannot have the same method twice", async () => {
    const first = aPlugin("first", (node) => node.rpc.namespace("greet", { hello: hello() }));
    const second = aPlugin("second", (node) => node.rpc.namespace("greet", { hello: hello() }));

    await expect(createNode({ plugins: [first, second] })).rejects.toMatchObject({
      code: "METHOD_CONFLICT",
      details: { method: "greet_hello" },
    });
  });
});

describe("rpc.method", () => {
  const greet = aPlugin("greet", (node) => node.rpc.namespace("greet", { hello: hello("hello") }));

  it("can wrap a method", async () => {
    const wrap = aPlugin("wrap", (node) => {
      node.hooks.rpc.method.tap((inner) => ({
        ...inner,
        handle: (params, call) => `${inner.handle(params, call)}, wrapped`,
      }));
    });

    await using node = await createTestNode({ plugins: [greet, wrap] });

    expect(await node.rpc("greet_hello")).toBe("hello, wrapped");
  });

  it("can replace a method", async () => {
    const replace = aPlugin("replace", (node) => {
      node.hooks.rpc.method.tap((_, { namespace, name }) =>
        namespace === "greet" && name === "hello" ? hello("replaced") : undefined,
      );
    });

    await using node = await createTestNode({ plugins: [replace, greet] });

    expect(await node.rpc("greet_hello")).toBe("replaced");
  });

  it("that fails keeps the node from being created", async () => {
    const broken = aPlugin("broken", (node) => {
      node.hooks.rpc.method.tap(() => {
        throw new Error("cannot wrap");
      });
    });

    await expect(createNode({ plugins: [greet, broken] })).rejects.toMatchObject({
      code: "TAP_FAILED",
      plugin: "broken",
    });
  });
});

describe("commands", () => {
  it("are listed with their plugins, as cli.command leaves them", async () => {
    const tools = aPlugin("tools", (node) => node.cli.command(aCommand("tool run")));
    const rename = aPlugin("rename", (node) => {
      node.hooks.cli.command.tap((inner, { plugin }) => ({ ...inner, summary: `Of ${plugin}.` }));
    });

    const node = await createNode({ plugins: [tools, rename] });

    expect(node.commands()).toMatchObject([
      { plugin: "tools", item: { id: "tool run", summary: "Of tools." } },
    ]);
  });

  it("with one name are rejected", async () => {
    const plugins = ["a", "b"].map((name) =>
      aPlugin(name, (node) => node.cli.command(aCommand("tool run"))),
    );

    await expect(createNode({ plugins })).rejects.toMatchObject({ code: "CONTRIBUTION_CONFLICT" });
  });
});

describe("queries", () => {
  const aQuery = (name: string) => defineQuery({ name, run: async () => name });

  it("with one name are rejected, as a thread would run one of them for both", async () => {
    const plugins = ["a", "b"].map((name) => aPlugin(name, (node) => node.query(aQuery("a.sum"))));

    await expect(createNode({ plugins })).rejects.toMatchObject({
      code: "CONTRIBUTION_CONFLICT",
      message: 'a and b both register the query "a.sum"; keep one of them',
    });
  });

  it("are named after their plugins, not the core", async () => {
    const plugins = [aPlugin("a", (node) => node.query(aQuery("call")))];

    await expect(createNode({ plugins })).rejects.toMatchObject({
      code: "QUERY_INVALID",
      message: expect.stringContaining('such as "a.call"'),
    });
  });
});

function aPlugin(name: string, setup: (node: AnyNode) => void) {
  return definePlugin({ name, setup: (node) => setup(node as AnyNode) });
}

function hello(text = "hello"): Method<unknown> {
  return method({ summary: "Says hello.", result: t.text, handle: () => text });
}

function aCommand(id: string) {
  return command({ id, summary: "A command.", flags: {}, run: async () => {} });
}
