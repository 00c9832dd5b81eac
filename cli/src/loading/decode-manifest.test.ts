import { command, DecodeError, definePlugin, method, option, t } from "@plinth/core";
import { createManifest, createStandIn, optionOf } from "@plinth/node/manifest";
import { describe, expect, it } from "vitest";
import { decodeManifest } from "./decode-manifest.js";

const plugin = definePlugin({
  name: "audit",
  listeners: [{ enabled: "auditEnabled", namespaces: "auditApi", duplex: false }],
  options: {
    auditEnabled: option.flag({ summary: "On." }),
    auditApi: option.list({ summary: "Which.", of: option.text({ summary: "" }).kind as never }),
    auditDepth: option.integer({ summary: "How deep.", default: 3, min: 1, max: 9 }),
    auditKind: option.oneOf(["all", "none"], { summary: "Which.", default: "all" }),
  },
  setup({ rpc, cli }) {
    const call = method({ summary: "A method.", result: t.text, handle: () => "" });
    rpc.namespace("audit", { call });
    const flags = { deep: option.integer({ summary: "How deep.", default: 1 }) };
    const args = { placeholder: "NAME", summary: "What.", min: 0, max: 1 };
    cli.command(
      command({ id: "audit show", summary: "Shows.", flags, args, uses: {}, run: async () => {} }),
    );
  },
});
const json = (): Record<string, unknown> => JSON.parse(JSON.stringify(createManifest(plugin)));

describe("a manifest is decoded", () => {
  it("to the written value", () => {
    expect(decodeManifest(json())).toEqual(createManifest(plugin));
  });

  it("or rejected, or usable in every respect, whatever is at any position", () => {
    const refused: unknown[] = [];
    for (const changed of changedAnywhere(json())) {
      try {
        decodeManifest(changed);
      } catch (error) {
        refused.push(error);
        continue;
      }
      const manifest = decodeManifest(changed);
      if (manifest.name === "audit") createStandIn(manifest, new Map());
      for (const { id, flags } of manifest.commands) {
        expect(id.split(" ").every((word) => word !== "")).toBe(true);
        Object.values(flags).map(optionOf);
      }
    }

    expect(refused.length).toBeGreaterThan(300);
    expect(
      refused.filter((error) => !(error instanceof DecodeError || error instanceof TypeError)),
    ).toEqual([]);
  });

  it.each([
    [{ manifestVersion: 2 }, "its version is 2, expected 1"],
    [{ hooks: {} }, "hooks: expected a list"],
    [{ options: { a: { kind: { type: "color" }, summary: "" } } }, "options.a.kind.type: expected"],
    [{ options: { a: { kind: { type: "constructor" }, summary: "" } } }, "options.a.kind.type"],
    [
      { options: { a: { kind: { type: "integer" }, summary: "", default: "x" } } },
      "options.a.default: expected a value of its kind: 'x' is not an int",
    ],
    [{ options: { "$(id)": { kind: { type: "flag" }, summary: "" } } }, "expected a name in camel"],
    [
      { commands: [{ id: "`id`", summary: "", examples: [], flags: {} }] },
      "commands[0].id: expected words of letters, digits and hyphens",
    ],
  ])("unless it is invalid: %j", (part, message) => {
    expect(() => decodeManifest({ ...json(), ...part })).toThrow(message);
  });
});

const VALUES = [5, "x", "", true, [], {}, [5], { a: 5 }, { type: "list" }, undefined];

/** The value with each part of it replaced in turn. */
function* changedAnywhere(value: unknown): Generator<unknown> {
  yield* VALUES;
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    for (const changed of changedAnywhere(member)) {
      yield Array.isArray(value)
        ? value.map((item, index) => (String(index) === key ? changed : item))
        : { ...value, [key]: changed };
    }
  }
}
