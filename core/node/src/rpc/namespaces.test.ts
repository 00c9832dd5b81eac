import { method, t } from "@plinth/core";
import { HookFactory } from "@plinth/core/kernel";
import { createRpcHooks } from "@plinth/core/rpc";
import { describe, expect, it } from "vitest";
import { Namespaces } from "./namespaces.js";

describe("Namespaces", () => {
  it("finds a method by its full name, with all its properties", () => {
    const { namespaces } = setUp();
    const gasUsed = aMethod();

    register(namespaces, "rpc-chainstats", "chainstats", { gasUsed });

    expect(namespaces.find("chainstats_gasUsed")).toEqual({
      fullName: "chainstats_gasUsed",
      isRewritten: false,
      namespace: "chainstats",
      name: "gasUsed",
      plugin: "rpc-chainstats",
      exposure: "listed",
      method: gasUsed,
    });
  });

  it.each(["chainstats_gasused", "CHAINSTATS_gasUsed", "gasUsed", "chainstats", "", "__proto__"])(
    "finds no method called %j",
    (name) => {
      const { namespaces } = setUp();
      register(namespaces, "rpc-chainstats", "chainstats", { gasUsed: aMethod() });

      expect(namespaces.find(name)).toBeUndefined();
    },
  );

  it("lists methods and namespaces in the order of their names", () => {
    const { namespaces } = setUp();
    register(namespaces, "a", "net", { version: aMethod(), listening: aMethod() });
    register(namespaces, "b", "eth", { call: aMethod() });

    expect(namespaces.all().map(({ fullName }) => fullName)).toEqual([
      "eth_call",
      "net_listening",
      "net_version",
    ]);
    expect(namespaces.names()).toEqual(["eth", "net"]);
  });

  it("lets two plugins share a namespace", () => {
    const { namespaces } = setUp();

    register(namespaces, "rpc-eth", "eth", { call: aMethod() });
    register(namespaces, "rpc-subscribe", "eth", { subscribe: aMethod() });

    expect(namespaces.find("eth_call")?.plugin).toBe("rpc-eth");
    expect(namespaces.find("eth_subscribe")?.plugin).toBe("rpc-subscribe");
    expect(namespaces.names()).toEqual(["eth"]);
  });

  it("rejects the same method twice, naming both plugins", () => {
    const { namespaces } = setUp();
    register(namespaces, "rpc-eth", "eth", { call: aMethod() });

    expect(() => register(namespaces, "rpc-other", "eth", { call: aMethod() })).toThrowError(
      expect.objectContaining({
        code: "METHOD_CONFLICT",
        message: expect.stringMatching(/^rpc-eth and rpc-other both register eth_call;/),
      }),
    );
  });

  it.each(["", "ETH", "eth_", "my-space", "2eth", "a b"])("rejects the namespace %j", (name) => {
    const { namespaces } = setUp();

    expect(() => register(namespaces, "rpc-eth", name, {})).toThrowError(
      expect.objectContaining({ code: "NAMESPACE_INVALID" }),
    );
  });

  it("hides the methods of a removed plugin", () => {
    const { namespaces, disabled } = setUp();
    register(namespaces, "rpc-eth", "eth", { call: aMethod() });
    register(namespaces, "rpc-net", "net", { version: aMethod() });

    disabled.add("rpc-eth");

    expect(namespaces.find("eth_call")).toBeUndefined();
    expect(namespaces.names()).toEqual(["net"]);
  });
});

describe("sealing", () => {
  it("rejects late methods, naming their plugin", () => {
    const { namespaces, hooks } = setUp();

    namespaces.seal(hooks);

    expect(() => register(namespaces, "rpc-late", "eth", { call: aMethod() })).toThrowError(
      expect.objectContaining({ code: "REGISTRY_SEALED", plugin: "rpc-late" }),
    );
  });

  it("passes every method once to rewriting taps, and keeps their results", () => {
    const { namespaces, hooks } = setUp();
    register(namespaces, "rpc-eth", "eth", { call: aMethod(), syncing: aMethod() });
    const replacement = aMethod("Replaced.");
    const seen: unknown[] = [];
    hooks.method.facade("wrapper").tap((_, context) => {
      seen.push(context);
      return context.name === "call" ? replacement : undefined;
    });

    namespaces.seal(hooks);

    expect(seen).toEqual([
      { namespace: "eth", name: "call", plugin: "rpc-eth" },
      { namespace: "eth", name: "syncing", plugin: "rpc-eth" },
    ]);
    expect(namespaces.find("eth_call")).toMatchObject({ plugin: "rpc-eth", method: replacement });
    expect(namespaces.find("eth_syncing")?.method.summary).toBe("A method.");
  });

  it("fails when a rewriting tap fails", () => {
    const { namespaces, hooks } = setUp();
    register(namespaces, "rpc-eth", "eth", { call: aMethod() });
    hooks.method.facade("wrapper").tap(() => {
      throw new Error("cannot wrap");
    });

    expect(() => namespaces.seal(hooks)).toThrowError(
      expect.objectContaining({ code: "TAP_FAILED", plugin: "wrapper" }),
    );
  });
});

describe("methods of a plugin that is not loaded", () => {
  it("are known, but not callable", () => {
    const { namespaces } = setUp();
    register(namespaces, "rpc-eth", "eth", { call: aMethod() });
    const methods = [{ name: "secret", summary: "A method." }];
    namespaces.declare({
      name: "rpc-priv",
      namespaces: [{ name: "eth", exposure: "listed", methods }],
    });

    expect(namespaces.find("eth_secret")).toMatchObject({ plugin: "rpc-priv" });
    expect(namespaces.all().map(({ name }) => name)).toEqual(["call", "secret"]);
    expect(namespaces.loaded().map(({ name }) => name)).toEqual(["call"]);
  });
});

function setUp() {
  const disabled = new Set<string>();
  const isEnabled = (plugin: string) => !disabled.has(plugin);
  const ownerOf = (plugin: string) => ({
    get active() {
      return isEnabled(plugin);
    },
  });
  const hooks = createRpcHooks(new HookFactory({ ownerOf, failed: () => {} }));
  return { namespaces: new Namespaces(isEnabled), hooks, disabled };
}

function aMethod(summary = "A method.") {
  return method({ summary, result: t.text, handle: () => "done" });
}

function register(
  namespaces: Namespaces,
  plugin: string,
  namespace: string,
  methods: Record<string, ReturnType<typeof aMethod>>,
): void {
  namespaces.register({ plugin, namespace, methods, exposure: "listed" });
}
