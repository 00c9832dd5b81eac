import { readFileSync } from "node:fs";
import { option, toOptionName } from "@plinth/core";
import { Configuration, type Layer, OptionSchema } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import {
  declareBesuOptions,
  describeWithoutEffect,
  fateOf,
  statusOf,
  verifyBuilt,
} from "./declare.js";
import { NOT_BUILT } from "./not-built.js";
import { WITHOUT_EFFECT } from "./without-effect.js";

describe("options of Besu that nothing implements", () => {
  it("are rejected with the reason and the source, all of them at once", () => {
    const { schema, config } = configure({
      "miner-stratum-enabled": "true",
      "engine-rpc-enabled": "true",
    });

    expect(() => verifyBuilt(schema, config)).toThrow(
      expect.objectContaining({
        code: "OPTION_NOT_BUILT",
        message:
          "--engine-rpc-enabled (from node.toml): the engine API is not implemented; --miner-stratum-enabled (from node.toml): Stratum is not implemented",
      }),
    );
  });

  it.each([
    ["a part that is switched off", { "miner-stratum-enabled": "false" }],
    ["an option whose switch is off", { "miner-stratum-port": "8008" }],
  ])("are accepted for %s", (_, values) => {
    const { schema, config } = configure(values);

    expect(() => verifyBuilt(schema, config)).not.toThrow();
  });

  it("without effect are reported in one line per reason", () => {
    const { schema, config } = configure({
      "bonsai-trie-logs-pruning-window-size": "6000",
      "Xchain-pruning-frequency": "100",
      "cache-last-blocks": "7",
    });

    expect(describeWithoutEffect(schema, config)).toEqual([
      "--bonsai-trie-logs-pruning-window-size and --Xchain-pruning-frequency have no effect: old states and blocks are removed with every new block, a few at a time",
      "--cache-last-blocks has no effect: recently read blocks are cached, by size",
    ]);
  });

  it("are not reported for the default behavior of the node", () => {
    const { schema, config } = configure({ "Xbonsai-full-flat-db-enabled": "true" });

    expect(describeWithoutEffect(schema, config)).toEqual([]);
  });

  it("are overridden by a plugin that implements them", () => {
    const { schema, config } = configure(
      { "privacy-enabled": "true" },
      { privacyEnabled: option.flag({ summary: "Served." }) },
    );

    expect(statusOf(schema, "privacyEnabled")).toEqual({ status: "served" });
    expect(() => verifyBuilt(schema, config)).not.toThrow();
  });
});

describe("the status of a value", () => {
  const served = {
    syncMode: option.oneOf(["FULL", "SNAP"], {
      summary: "Served in part.",
      default: "FULL",
      noEffect: (mode) => (mode === "FULL" ? undefined : "as with FULL"),
    }),
  };

  it.each([
    ["syncMode", "FULL", { status: "served" }],
    ["syncMode", "SNAP", { status: "no effect", reason: "as with FULL" }],
    ["XbonsaiFullFlatDbEnabled", true, { status: "served" }],
    ["XbonsaiFullFlatDbEnabled", false, { status: "no effect" }],
    ["minerStratumEnabled", false, { status: "served" }],
    ["minerStratumEnabled", true, { status: "not built" }],
  ])("of %s=%s is %o", (key, value, fate) => {
    const { schema } = configure({}, served);

    expect(fateOf(schema, key, value)).toMatchObject(fate);
  });
});

describe("the tables of these options", () => {
  it("have no row for an option that a shipped plugin implements", () => {
    const page = readFileSync(
      new URL("../../../docs/reference/options.md", import.meta.url),
      "utf8",
    );
    const served = new Set([...page.matchAll(/`--([\w-]+)`/g)].map(([, name]) => name));
    const rows = [...NOT_BUILT, ...WITHOUT_EFFECT].flatMap(({ options }) =>
      Object.keys(options).map(toOptionName),
    );

    expect(served.size).toBeGreaterThan(100);
    expect(rows.filter((name) => served.has(name))).toEqual([]);
    expect(new Set(rows).size).toBe(rows.length);
  });
});

function configure(values: Readonly<Record<string, string>>, served = {}) {
  const schema = new OptionSchema();
  schema.declare("privacy", served);
  declareBesuOptions(schema);
  const entries = Object.entries(values).map(
    ([name, text]) => [name, { text, label: "node.toml" }] as const,
  );
  const layer: Layer = { source: "file", label: "file", entries: new Map(entries) };
  return { schema, config: new Configuration(schema, [layer]) };
}
