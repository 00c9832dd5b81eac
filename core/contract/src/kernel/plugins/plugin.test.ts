import { describe, expect, it, vi } from "vitest";
import { markPlugin, PLUGIN_API_VERSION, verifyPlugin } from "./plugin.js";

const MARK = Symbol.for("plinth.plugin");
const setup = () => {};

describe("markPlugin", () => {
  it("keeps the declaration of the author and freezes it", () => {
    const options = {};

    const plugin = markPlugin({ name: "rpc-audit", options, essential: true, setup });

    expect(plugin).toMatchObject({ name: "rpc-audit", essential: true, setup });
    expect(plugin.options).toBe(options);
    expect(Object.isFrozen(plugin)).toBe(true);
  });

  it("does not modify the declaration itself", () => {
    const declaration = { name: "rpc-audit", setup };

    markPlugin(declaration);

    expect(Reflect.ownKeys(declaration)).toEqual(["name", "setup"]);
  });

  it.each(["a", "rpc-audit", "consensus-ibft2", "x-2-y", "web3"])("accepts the name %s", (name) => {
    expect(markPlugin({ name, setup }).name).toBe(name);
  });

  it.each([
    ["nothing", ""],
    ["capitals", "rpcAudit"],
    ["an underscore", "rpc_audit"],
    ["a scope", "@acme/audit"],
    ["a digit in front", "2-audit"],
    ["a hyphen in front", "-audit"],
    ["a hyphen at the end", "audit-"],
    ["two hyphens in a row", "rpc--audit"],
    ["a blank", "rpc audit"],
    ["a line end", "audit\n"],
  ])("rejects a name with %s", (_, name) => {
    expect(() => markPlugin({ name, setup })).toThrowError(
      expect.objectContaining({ code: "PLUGIN_NAME_INVALID" }),
    );
  });
});

describe("verifyPlugin", () => {
  it("returns the same plugin object", () => {
    const plugin = markPlugin({ name: "rpc-audit", setup });

    expect(verifyPlugin(plugin, "rpc-audit")).toBe(plugin);
  });

  it("recognizes a plugin created by another copy of the core", async () => {
    vi.resetModules();
    const copy = await import("./plugin.js");
    expect(copy.markPlugin).not.toBe(markPlugin);

    const plugin = copy.markPlugin({ name: "rpc-audit", setup });

    expect(verifyPlugin(plugin, "rpc-audit")).toBe(plugin);
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "rpc-audit"],
    ["a function", () => {}],
    ["an object of the right shape without a mark", { name: "rpc-audit", setup }],
    ["a mark that is not a version", { name: "rpc-audit", setup, [MARK]: true }],
  ])("rejects %s and reports where it came from", (_, value) => {
    expect(() => verifyPlugin(value, "@acme/audit")).toThrowError(
      expect.objectContaining({
        code: "PLUGIN_INVALID",
        message: expect.stringContaining("@acme/audit"),
      }),
    );
  });

  it.each([PLUGIN_API_VERSION + 1, PLUGIN_API_VERSION - 1])(
    "rejects a plugin of version %i of the contract and reports both versions",
    (version) => {
      const plugin = { ...markPlugin({ name: "rpc-audit", setup }), [MARK]: version };

      expect(() => verifyPlugin(plugin, "@acme/audit")).toThrowError(
        expect.objectContaining({
          code: "PLUGIN_API_MISMATCH",
          message: `@acme/audit was made for version ${version} of the plugin contract; this node has version ${PLUGIN_API_VERSION}`,
        }),
      );
    },
  );
});
