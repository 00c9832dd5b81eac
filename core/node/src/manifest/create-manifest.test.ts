import { command, definePlugin, defineService, method, option, optional } from "@plinth/core";
import { basics } from "@plinth/core/codec";
import { extraDataCodecs } from "@plinth/core/consensus";
import { describe, expect, it } from "vitest";
import { resolvePlugins } from "../plugin/prepare.js";
import { createManifest } from "./create-manifest.js";
import { createStandIn } from "./stand-in.js";
import { verifyManifest } from "./verify-manifest.js";

const clock = defineService<number>("a.clock");
const bell = defineService<number>("b.bell", { hint: "@example/bell" });
const ring = method({ summary: "Rings.", result: basics.text, handle: () => "ring" });
const encode = command({
  id: "bell encode",
  summary: "Encodes.",
  flags: { to: option.path({ summary: "Output." }) },
  uses: { points: [extraDataCodecs] },
  run: async () => {},
});

const plugin = definePlugin({
  name: "alarm",
  options: { alarmAt: option.integer({ summary: "When.", default: 7 }) },
  provides: [clock],
  dependencies: { bell: optional(bell) },
  setup({ cli, rpc, services }) {
    services.provide(clock, () => 1);
    rpc.namespace("alarm", { ring });
    cli.command(encode);
  },
});

describe("the manifest of a plugin", () => {
  it("lists what it declares and registers", () => {
    expect(createManifest(plugin)).toEqual({
      manifestVersion: 1,
      name: "alarm",
      isEssential: false,
      options: { alarmAt: { kind: { type: "integer" }, summary: "When.", default: "7" } },
      provides: ["a.clock"],
      dependencies: [{ id: "b.bell", hint: "@example/bell", isOptional: true }],
      namespaces: [
        { name: "alarm", exposure: "listed", methods: [{ name: "ring", summary: "Rings." }] },
      ],
      commands: [
        {
          id: "bell encode",
          summary: "Encodes.",
          examples: [],
          flags: { to: { kind: { type: "path" }, summary: "Output." } },
          uses: { chain: false, genesis: false, points: ["consensus.extra-data"] },
        },
      ],
      engines: [],
      drivers: {},
      contributions: {},
      routes: [],
      hooks: [],
      listeners: [],
      activation: {},
    });
  });

  it.each([
    [
      "a hook",
      "taps chain.headChanged",
      ({ hooks }: Node) => hooks.chain.headChanged.tap(() => {}),
    ],
    ["its start", "starts with the node", ({ onStart }: Node) => onStart(() => {})],
    [
      "a health check",
      "contributes to health.check",
      ({ health }: Node) => health.check("x", () => ({ status: "up" })),
    ],
  ])("states that every node loads a plugin that is active by %s", (_, eager, setup) => {
    const given = { name: "alarm", setup: (node: Node) => void setup(node) };

    expect(createManifest(definePlugin(given)).eager).toBe(eager);
    expect(createManifest(definePlugin({ ...given, activation: {} })).eager).toBeUndefined();
  });

  it("creates a plugin that is ordered and configured like the real one", () => {
    const standIn = createStandIn(createManifest(plugin), new Map());
    const real = resolvePlugins([plugin]);
    const described = resolvePlugins([standIn]);

    expect(described.schema.find("alarm-at")?.option.default).toBe(7);
    expect(described.schema.all().length).toBe(real.schema.all().length);
    expect(() => verifyManifest(plugin, createManifest(plugin))).not.toThrow();
  });

  it("of an older plugin is rejected by name", () => {
    const older = createManifest(definePlugin({ name: "alarm", setup: () => {} }));

    expect(() => verifyManifest(plugin, older)).toThrow(
      'the manifest of plugin "alarm" does not match it: the options differ',
    );
  });
});

type Node = Parameters<Parameters<typeof definePlugin>[0]["setup"]>[0];
