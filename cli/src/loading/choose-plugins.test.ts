import {
  command,
  defineContributionPoint,
  defineEngine,
  definePlugin,
  defineService,
  method,
  option,
  optional,
  type Plugin,
  t,
} from "@plinth/core";
import { extraDataCodecs } from "@plinth/core/consensus";
import { Configuration } from "@plinth/core/kernel";
import { resolvePlugins } from "@plinth/node";
import { createManifest } from "@plinth/node/manifest";
import { describe, expect, it } from "vitest";
import { choosePlugins, type Purpose } from "./choose-plugins.js";
import type { KnownPlugin } from "./known-plugin.js";

const silent = () => {};
const call = method({ summary: "A method.", result: t.text, handle: () => "" });
const look = method({ summary: "A method.", result: t.text, alsoIn: "window", handle: () => "" });
const push = method({ summary: "A method.", result: t.text, caller: "duplex", handle: () => "" });
const clock = defineService<number>("clock.time");
const chain = defineService<number>("clique.chain");
const shapes = defineContributionPoint<string>("shapes.shape", { summary: "Shapes." });

const engine = (key: string, extra: object = {}) =>
  defineEngine({ key, settings: t.json, create: silent as never, ...extra });

/** One plugin for each rule. */
const PLUGINS: readonly Plugin[] = [
  definePlugin({
    name: "listener",
    listeners: [
      { enabled: "webEnabled", namespaces: "webApi", duplex: false },
      { enabled: "pipeEnabled", namespaces: "webApi", always: ["status"], duplex: true },
    ],
    options: {
      webEnabled: option.flag({ summary: "On." }),
      pipeEnabled: option.flag({ summary: "On." }),
      webApi: option.list({ summary: "Which.", of: option.text({ summary: "" }).kind as never }),
      webPort: option.port({ summary: "Where.", default: 80, needs: "webEnabled" }),
    },
    setup: silent,
  }),
  definePlugin({ name: "eager", setup: ({ onStart }) => onStart(silent) }),
  definePlugin({
    name: "patient",
    activation: {},
    options: { patience: option.integer({ summary: "How much.", default: 1 }) },
    setup: ({ onStart }) => onStart(silent),
  }),
  definePlugin({
    name: "strict",
    options: { rule: option.text({ summary: "Ruled.", validate: () => undefined }) },
    setup: silent,
  }),
  definePlugin({ name: "eth", setup: ({ rpc }) => rpc.namespace("eth", { call }) }),
  definePlugin({
    name: "pushes",
    setup: ({ rpc }) => rpc.namespace("eth", { push }, "always-duplex"),
  }),
  definePlugin({ name: "status", setup: ({ rpc }) => rpc.namespace("status", { get: call }) }),
  definePlugin({
    name: "guest",
    activation: { namespaces: ["guest"] },
    dependencies: { time: clock },
    setup({ rpc }) {
      rpc.namespace("guest", { call, look });
      rpc.namespace("eth", { visit: call });
    },
  }),
  definePlugin({
    name: "measures",
    activation: { namespaces: ["debug"] },
    setup: ({ onStart }) => onStart(silent),
  }),
  definePlugin({
    name: "clock",
    provides: [clock],
    setup: ({ services }) => services.provide(clock, () => 1),
  }),
  definePlugin({
    name: "clique",
    activation: {},
    provides: [chain],
    setup({ consensus, services, contribute }) {
      services.provide(chain, () => 1);
      contribute(extraDataCodecs, { name: "CLIQUE" } as never);
      consensus.engine(engine("clique"));
    },
  }),
  definePlugin({
    name: "qbft",
    activation: {},
    dependencies: { clique: optional(chain), time: optional(clock) },
    setup: ({ consensus }) => consensus.engine(engine("qbft")),
  }),
  definePlugin({
    name: "pow",
    setup: ({ consensus }) => consensus.engine(engine("ethash", { mergesByTime: true })),
  }),
  definePlugin({
    name: "pos",
    setup: ({ consensus }) => consensus.engine(engine("pos", { followsMerge: true })),
  }),
  definePlugin({ name: "evm-a", setup: ({ evm }) => evm.driver({ name: "plinth" } as never) }),
  definePlugin({ name: "evm-b", setup: ({ evm }) => evm.driver({ name: "other" } as never) }),
  definePlugin({
    name: "round",
    activation: {},
    setup: ({ contribute }) => contribute(shapes, "round"),
  }),
  definePlugin({
    name: "draws",
    setup: ({ cli }) =>
      cli.command(command({ id: "draw", summary: "Draws.", flags: {}, run: async () => {} })),
  }),
  definePlugin({ name: "rewrites", setup: ({ hooks }) => hooks.cli.command.tap(() => undefined) }),
];

const known = PLUGINS.map(
  (plugin): KnownPlugin => ({
    specifier: plugin.name,
    url: `file:///${plugin.name}.js`,
    isShipped: true,
    manifest: createManifest(plugin),
  }),
);

function choose(
  values: Readonly<Record<string, unknown>>,
  purpose: Purpose,
  plugins: readonly KnownPlugin[] = known,
) {
  const { schema } = resolvePlugins(PLUGINS);
  const entries = Object.entries(values).map(
    ([name, value]) => [name, { label: "test", value }] as const,
  );
  const layer = { source: "file", label: "test", entries: new Map(entries) } as const;
  const config = new Configuration(schema, [layer]);
  return choosePlugins(plugins, { config, schema }, purpose);
}

const node = (...keys: readonly string[]): Purpose => ({
  kind: "node",
  genesis: { keys: new Set(keys), transitions: new Set() },
});

const forCommand = (uses: Extract<Purpose, { kind: "command" }>["uses"]): Purpose => ({
  kind: "command",
  plugin: "draws",
  uses,
  hasAllRules: false,
  genesis: undefined,
});

const NOTHING = { chain: false, genesis: false, points: [] };
/** Those of a node that selects clique and sets nothing. */
const BARE = ["eager", "clique", "evm-a"];

describe("a node loads", () => {
  it("active plugins, the engine and the selected drivers", () => {
    expect([...choose({}, node("clique"))]).toEqual([
      ["eager", "starts with the node"],
      ["evm-a", "--evm is plinth"],
      ["clique", "the engine clique"],
    ]);
  });

  it.each([
    ["an option with another value", { patience: 2 }, ["patient"]],
    ["an option with its default", { patience: 1 }, []],
    ["an option without effect", { "web-port": 81 }, []],
    ["an option with rules", { rule: "x" }, ["strict"]],
    ["another driver", { evm: "OTHER" }, ["evm-b"]],
    ["an unknown driver", { evm: "none" }, ["evm-a", "evm-b"]],
    ["a listener", { "web-enabled": true, "web-api": ["ETH"] }, ["listener", "eth"]],
    ["a listener that is off", { "web-api": ["ETH"] }, ["listener"]],
    ["a listener that pushes", { "pipe-enabled": true }, ["listener", "status", "pushes"]],
    [
      "a namespace with methods about a plugin",
      { "web-enabled": true, "web-api": ["DEBUG"] },
      ["listener", "measures"],
    ],
    [
      "a namespace whose plugin needs another",
      { "web-enabled": true, "web-api": ["GUEST"] },
      ["listener", "guest", "clock"],
    ],
    [
      "a method that is in another namespace as well",
      { "web-enabled": true, "web-api": ["WINDOW"] },
      ["listener", "guest", "clock"],
    ],
  ])("requested plugins: %s", (_, values, more) => {
    const others = BARE.filter((name) => name !== "evm-a" || !("evm" in values));

    expect([...choose(values, node("clique")).keys()].sort()).toEqual([...others, ...more].sort());
  });

  it("engines with transitions in the genesis file, and all if it names none", () => {
    const transitions = new Set(["qbft"]);
    const chosen = (...keys: string[]) =>
      [
        ...choose({}, { kind: "node", genesis: { keys: new Set(keys), transitions } }).keys(),
      ].sort();

    expect(chosen("clique")).toEqual(["clique", "clock", "eager", "evm-a", "qbft"]);
    expect(chosen("pos")).toEqual(expect.arrayContaining(["clique", "pos", "pow", "qbft"]));
    expect(chosen()).toEqual(expect.arrayContaining(["clique", "pos", "pow", "qbft"]));
  });

  it.each([
    [["qbft"], ["qbft", "clock"]],
    [
      ["qbft", "clique"],
      ["qbft", "clique", "clock"],
    ],
    [["ethash"], ["pow", "pos"]],
    [
      ["clique", "terminaltotaldifficulty"],
      ["clique", "pos"],
    ],
    [["chainid"], ["clique", "qbft", "pow", "pos", "clock"]],
  ])("the engines named by a genesis file, or all: %j", (keys, names) => {
    const chosen = [...choose({}, node(...keys)).keys()];

    expect(chosen.sort()).toEqual(["eager", "evm-a", ...names].sort());
  });

  it("a plugin without a manifest, and all methods, which it may serve", () => {
    const chosen = choose({}, node("clique"), withoutManifest("status"));

    expect(chosen.get("status")).toBe("it has no manifest");
    expect(chosen.get("eth")).toBe("status has no manifest and may serve its methods");
    expect(chosen.has("measures")).toBe(false);
  });

  it("the methods that a plugin without a manifest serves, if it declares its listeners", () => {
    const values = { "web-enabled": true, "web-api": ["ETH"] };
    const chosen = choose(values, node("clique"), withoutManifest("listener"));

    expect([...chosen.keys()].sort()).toEqual([...BARE, "eth", "listener"].sort());
  });
});

/** All plugins, one of them without its manifest. */
function withoutManifest(name: string): readonly KnownPlugin[] {
  const plugin = PLUGINS.find((each) => each.name === name) as Plugin;
  const missing = "it has no manifest";
  return known.map((each) =>
    each.manifest?.name === name ? { ...each, manifest: undefined, missing, plugin } : each,
  );
}

describe("a command loads", () => {
  it.each([
    ["nothing", NOTHING, []],
    ["a point", { ...NOTHING, points: ["shapes.shape"] }, ["round"]],
    ["a driver", { ...NOTHING, points: ["evm.driver"] }, ["evm-a"]],
    ["checks of a genesis file", { ...NOTHING, genesis: true }, ["clique", "qbft", "pow", "pos"]],
    ["engines", { ...NOTHING, points: ["consensus.engine"] }, ["clique", "qbft", "pow", "pos"]],
  ])("its plugin, those that change commands, and its requirements: %s", (_, uses, names) => {
    const chosen = [...choose({}, forCommand(uses)).keys()];

    expect(chosen.sort()).toEqual(["draws", "rewrites", ...names].sort());
  });

  it("a node if it opens the chain", () => {
    const chosen = [...choose({}, forCommand({ ...NOTHING, chain: true })).keys()];

    expect(chosen).toEqual(expect.arrayContaining(["eager", "evm-a", "clique"]));
    expect(chosen).not.toContain("eth");
  });

  it("everything if it does not declare its requirements", () => {
    expect(choose({}, forCommand(undefined)).size).toBe(PLUGINS.length);
  });
});
