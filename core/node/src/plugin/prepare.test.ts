import { definePlugin, defineService, option } from "@plinth/core";
import type { Layer } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { coreOptions } from "./options.js";
import { configureNode, resolvePlugins } from "./prepare.js";

const Signers = defineService<object>("provider.signers");
const summary = "What it is for.";

const consumer = definePlugin({
  name: "consumer",
  dependencies: { signers: Signers },
  options: { consumerLevel: option.integer({ summary, default: 1 }) },
  setup: () => {},
});
const provider = definePlugin({
  name: "provider",
  provides: [Signers],
  options: { providerLevel: option.integer({ summary }) },
  setup: () => {},
});

describe("resolvePlugins", () => {
  it("puts plugins in order", () => {
    const { ordered } = resolvePlugins([consumer, provider]);

    expect(ordered.map(({ plugin }) => plugin.name)).toEqual(["provider", "consumer"]);
  });

  it("collects options of the core first, then of the plugins in order", () => {
    const { schema } = resolvePlugins([consumer, provider]);

    const core = Object.keys(coreOptions).map((key) => `core ${key}`);
    expect(schema.all().map(({ owner, key }) => `${owner} ${key}`)).toEqual([
      ...core,
      "provider providerLevel",
      "consumer consumerLevel",
    ]);
  });
});

describe("configureNode", () => {
  it("reads every option from the layers, the first of them strongest", () => {
    const prepared = configureNode(resolvePlugins([consumer, provider]), [
      aLayer("command line", { "provider-level": "5" }),
      aLayer("environment", { "provider-level": "6", identity: "mine" }),
    ]);

    expect(prepared.config.get("providerLevel")).toBe(5);
    expect(prepared.config.get("identity")).toBe("mine");
    expect(prepared.config.get("consumerLevel")).toBe(1);
  });

  it("runs no code of plugins", () => {
    const explosive = definePlugin({
      name: "explosive",
      setup() {
        throw new Error("must not run");
      },
    });

    expect(() => configureNode(resolvePlugins([explosive]), [])).not.toThrow();
  });
});

function aLayer(source: Layer["source"], texts: Readonly<Record<string, string>>): Layer {
  const entries = Object.entries(texts).map(
    ([name, text]) => [name, { label: name, text }] as const,
  );
  return { source, label: source, entries: new Map(entries) };
}
