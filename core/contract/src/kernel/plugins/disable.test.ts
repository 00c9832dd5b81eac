import { describe, expect, it } from "vitest";
import type { Options } from "../options/options.js";
import { type Dependencies, defineService, optional } from "../services.js";
import { verifyCanDisable } from "./disable.js";
import { markPlugin, type PluginShape } from "./plugin.js";
import { PluginInstance } from "./plugin-instance.js";

const Index = defineService<object>("log-index.logs");

describe("verifyCanDisable", () => {
  it("allows a plugin that no other needs", () => {
    const instances = [anInstance("audit"), anInstance("other")];

    expect(() => verifyCanDisable("audit", instances, new Map())).not.toThrow();
  });

  it("keeps an essential plugin", () => {
    const instances = [anInstance("audit", { essential: true })];

    expect(() => verifyCanDisable("audit", instances, new Map())).toThrowError(
      refusal("audit is essential: the node cannot run without it"),
    );
  });

  it("keeps the owner of a driver that is in use", () => {
    const instances = [anInstance("audit")];
    const inUse = new Map([["audit", "the storage driver leveldb"]]);

    expect(() => verifyCanDisable("audit", instances, inUse)).toThrowError(
      refusal("audit owns the storage driver leveldb, which the node is using"),
    );
  });

  it.each<[string, Dependencies]>([
    ["needs", { index: Index }],
    ["would like", { index: optional(Index) }],
  ])("keeps a provider whose service another plugin %s", (_, dependencies) => {
    const instances = [
      anInstance("audit", { provides: [Index] }),
      anInstance("user", { dependencies }),
    ];

    expect(() => verifyCanDisable("audit", instances, new Map())).toThrowError(
      refusal("user uses log-index.logs of audit"),
    );
  });

  it("allows a provider whose users are all disabled", () => {
    const user = anInstance("user", { dependencies: { index: Index } });
    const instances = [anInstance("audit", { provides: [Index] }), user];

    user.disable();

    expect(() => verifyCanDisable("audit", instances, new Map())).not.toThrow();
  });

  it("allows a plugin that uses others", () => {
    const instances = [
      anInstance("provider", { provides: [Index] }),
      anInstance("audit", { dependencies: { index: Index } }),
    ];

    expect(() => verifyCanDisable("audit", instances, new Map())).not.toThrow();
  });

  it("rejects a plugin that is not loaded, and lists those that are", () => {
    const instances = [anInstance("a"), anInstance("b")];

    expect(() => verifyCanDisable("audit", instances, new Map())).toThrowError(
      refusal('no loaded plugin is called "audit"; loaded are a, b'),
    );
  });

  it("rejects a plugin that is already disabled", () => {
    const audit = anInstance("audit");
    audit.disable();

    expect(() => verifyCanDisable("audit", [audit, anInstance("b")], new Map())).toThrowError(
      refusal('no loaded plugin is called "audit"; loaded are b'),
    );
  });
});

function refusal(message: string) {
  return expect.objectContaining({ code: "PLUGIN_NOT_DISABLED", plugin: "audit", message });
}

function anInstance(
  name: string,
  declared: Partial<PluginShape<Options, Dependencies, never>> = {},
): PluginInstance<object> {
  return new PluginInstance<object>(markPlugin({ setup: () => {}, ...declared, name }), () => {});
}
