import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Runtime } from "@plinth/core";
import { createMemoryStorageDriver, definePlugin, defineService, optional } from "@plinth/core";
import type { NodeKey } from "@plinth/core/network";
import { createTempFolder, createTestNode, devChain, FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createNode } from "./create-node.js";

const genesis = { config: { chainId: 1337, dev: {} } };
const memory = { keyValueStorage: "memory" };
const Signers = defineService<readonly string[]>("provider.signers");

describe("the lifecycle order of a node", () => {
  it("is setup, services, onStart, ready, then stopping and onStop in reverse", async () => {
    const events: string[] = [];
    const consumer = definePlugin({
      name: "consumer",
      dependencies: { signers: Signers },
      setup(node) {
        events.push("consumer setup");
        node.hooks.lifecycle.registered.tap(() => void events.push("registered"));
        node.hooks.lifecycle.opened.tap(() => void events.push("opened"));
        node.hooks.lifecycle.ready.tap(() => void events.push("ready"));
        node.hooks.lifecycle.stopping.tap(() => void events.push("stopping"));
        node.onStart(() => void events.push("consumer onStart"));
        node.onStop(() => void events.push("consumer onStop"));
      },
    });
    const provider = definePlugin({
      name: "provider",
      provides: [Signers],
      setup(node) {
        events.push("provider setup");
        node.services.provide(Signers, () => {
          events.push("provider service");
          return [];
        });
        node.onStart(() => void events.push("provider onStart"));
        node.onStop(() => void events.push("provider onStop"));
      },
    });

    const node = await createNode({
      plugins: [consumer, provider, ...devChain],
      genesis,
      options: memory,
    });
    await node.start();
    await node.stop();

    expect(events).toEqual([
      "provider setup",
      "consumer setup",
      "registered",
      "provider service",
      "opened",
      "provider onStart",
      "consumer onStart",
      "ready",
      "stopping",
      "consumer onStop",
      "provider onStop",
    ]);
  });

  it("ends a provider's onStart before its consumer's starts", async () => {
    const events: string[] = [];
    const provider = definePlugin({
      name: "provider",
      setup(node) {
        node.onStart(async () => {
          await new Promise((resolve) => setImmediate(resolve));
          events.push("provider started");
        });
      },
    });
    const consumer = definePlugin({
      name: "consumer",
      setup: (node) => node.onStart(() => void events.push("consumer begins")),
    });

    await using _ = await createTestNode({ plugins: [provider, consumer] });

    expect(events).toEqual(["provider started", "consumer begins"]);
  });

  it("opens listeners last: ready is called when every plugin has started", async () => {
    const events: string[] = [];
    const listener = definePlugin({
      name: "listener",
      setup: (node) => node.hooks.lifecycle.ready.tap(() => void events.push("listens")),
    });
    const slow = definePlugin({
      name: "slow",
      setup: (node) => node.onStart(() => void events.push("slow started")),
    });

    await using _ = await createTestNode({ plugins: [listener, slow] });

    expect(events).toEqual(["slow started", "listens"]);
  });

  it("runs several onStart of one plugin in order", async () => {
    const events: number[] = [];
    const plugin = definePlugin({
      name: "plugin",
      setup(node) {
        for (const number of [1, 2, 3]) node.onStart(() => void events.push(number));
      },
    });

    await using _ = await createTestNode({ plugins: [plugin] });

    expect(events).toEqual([1, 2, 3]);
  });
});

describe("running code", () => {
  it("finds the requested services under its own names", async () => {
    const Missing = defineService<string>("missing.thing");
    let found: unknown;
    const provider = definePlugin({
      name: "provider",
      provides: [Signers],
      setup: (node) => node.services.provide(Signers, async () => ["0x1"]),
    });
    const consumer = definePlugin({
      name: "consumer",
      dependencies: { mine: Signers, maybe: optional(Signers), gone: optional(Missing) },
      setup(node) {
        node.onStart(({ mine, maybe, gone }) => {
          found = { mine, maybe, gone };
        });
      },
    });

    await using _ = await createTestNode({ plugins: [consumer, provider] });

    expect(found).toEqual({ mine: ["0x1"], maybe: ["0x1"], gone: undefined });
  });

  it("lets a service be created from others", async () => {
    const Count = defineService<number>("counter.count");
    let found: unknown;
    const provider = definePlugin({
      name: "provider",
      provides: [Signers],
      setup: (node) => node.services.provide(Signers, () => ["0x1", "0x2"]),
    });
    const counter = definePlugin({
      name: "counter",
      dependencies: { signers: Signers },
      provides: [Count],
      setup: (node) => node.services.provide(Count, ({ signers }) => signers.length),
    });
    const consumer = definePlugin({
      name: "consumer",
      dependencies: { count: Count },
      setup(node) {
        node.onStart(({ count }) => {
          found = count;
        });
      },
    });

    await using _ = await createTestNode({ plugins: [consumer, counter, provider] });

    expect(found).toBe(2);
  });

  it.each<[string, Record<string, unknown>, unknown, bigint | undefined, bigint]>([
    ["the genesis file", {}, { config: { chainId: 7, dev: {} } }, 7n, 7n],
    ["the option", { networkId: 9 }, { config: { chainId: 7, dev: {} } }, 7n, 9n],
    ["neither", {}, { config: { dev: {} } }, undefined, 1n],
  ])("sees the chain, and a network id from %s", async (_, options, json, chainId, id) => {
    const { runtime, plugin } = keepRuntime();

    await using _node = await createTestNode({ plugins: [plugin], options, genesis: json });

    expect(runtime()).toMatchObject({ chain: { chainId }, network: { id } });
  });

  it("sees the clock, its own logger and the version of the client", async () => {
    const clock = new FakeClock();
    const logs = recordLogs();
    const { runtime, plugin } = keepRuntime();

    await using node = await createTestNode({
      plugins: [plugin],
      options: { identity: "mine" },
      clock,
      logs,
    });
    runtime().log.info("hello");

    expect(runtime().clock).toBe(clock);
    expect(runtime().clientVersion).toBe(node.node.clientVersion);
    expect(node.node.clientVersion).toMatch(/^plinth\/mine\/v/);
    expect(logs.entries).toContainEqual({
      logger: "plugin",
      level: "info",
      message: "hello",
      fields: {},
    });
  });

  it("sees the metrics of all plugins", async () => {
    const { runtime, plugin } = keepRuntime();
    const counting = definePlugin({
      name: "counting",
      setup: (node) => node.metrics.counter({ name: "calls", help: "Calls." }).increment(),
    });

    await using _ = await createTestNode({ plugins: [plugin, counting], eth: false });

    expect(runtime().metrics.collect()).toMatchObject([
      { name: "plinth_counting_calls_total", samples: [{ value: 1 }] },
    ]);
  });
});

describe("starting", () => {
  it("cannot be done twice", async () => {
    await using node = await createTestNode();

    await expect(node.node.start()).rejects.toMatchObject({ code: "PHASE_WRONG" });
  });

  it("cannot be done twice concurrently, and the first start continues", async () => {
    let starts = 0;
    const plugin = definePlugin({
      name: "plugin",
      setup(node) {
        node.onStart(() => {
          starts += 1;
        });
      },
    });
    const node = await createNode({ plugins: [plugin, ...devChain], genesis, options: memory });

    const first = node.start();
    await expect(node.start()).rejects.toMatchObject({ code: "PHASE_WRONG" });
    await expect(node.open()).rejects.toMatchObject({ code: "PHASE_WRONG" });
    await first;
    await node.stop();

    expect(starts).toBe(1);
    expect(await node.ended).toEqual({ reason: "asked to stop" });
  });

  it("can be done in two steps: everything is open before anything starts", async () => {
    const events: string[] = [];
    const provider = definePlugin({
      name: "provider",
      provides: [Signers],
      setup(node) {
        node.services.provide(Signers, () => {
          events.push("service");
          return [];
        });
        node.onStart(() => void events.push("onStart"));
      },
    });
    const node = await createNode({ plugins: [provider, ...devChain], genesis, options: memory });

    await node.open();
    expect(events).toEqual(["service"]);
    await expect(node.open()).rejects.toMatchObject({ code: "PHASE_WRONG" });
    await node.start();
    await node.stop();

    expect(events).toEqual(["service", "onStart"]);
  });

  it("fails if onStart takes longer than 30 seconds, naming the plugin", async () => {
    const clock = new FakeClock();
    const events: string[] = [];
    const slow = definePlugin({
      name: "slow",
      setup(node) {
        node.onStart(() => new Promise(() => {}));
        node.onStop(() => void events.push("slow onStop"));
        node.hooks.lifecycle.ready.tap(() => void events.push("ready"));
      },
    });
    const node = await createNode({
      plugins: [slow, ...devChain],
      genesis,
      options: memory,
      clock,
    });

    const failed = expect(node.start()).rejects.toMatchObject({
      code: "PLUGIN_TIMEOUT",
      plugin: "slow",
      message: "slow did not finish onStart within 30 s",
    });
    await clock.advance(30_000);
    await failed;

    expect(events).toEqual(["slow onStop"]);
  });

  it("waits up to the limit for each plugin separately", async () => {
    const clock = new FakeClock();
    const slow = (name: string) =>
      definePlugin({ name, setup: (node) => node.onStart(({ clock }) => clock.sleep(29_999)) });
    const plugins = [slow("a"), slow("b")];
    const node = await createNode({
      plugins: [...plugins, ...devChain],
      genesis,
      options: memory,
      clock,
    });

    const started = node.start();
    await clock.advance(60_000);

    await expect(started).resolves.toBeUndefined();
    await node.stop();
  });
});

describe("the genesis file", () => {
  it("is needed", async () => {
    const node = await createNode({ plugins: [...devChain], options: memory });

    await expect(node.start()).rejects.toMatchObject({ code: "GENESIS_MISSING" });
  });

  it("is read from the path of the option", async () => {
    await using folder = await createTempFolder();
    const genesisFile = join(folder.path, "genesis.json");
    await writeFile(genesisFile, '{ "config": { "chainId": 7, "dev": {} } }');
    const { runtime, plugin } = keepRuntime();

    await using _ = await createTestNode({
      plugins: [plugin, ...devChain],
      options: { genesisFile },
    });

    expect(runtime().chain.chainId).toBe(7n);
  });

  it.each<[string, unknown, Record<string, unknown>]>([
    ["has no config", {}, {}],
    ["does not exist", undefined, { genesisFile: "/no/such/genesis.json" }],
  ])("that %s keeps the node from opening anything", async (_, json, options) => {
    const { driver, events } = spyDriver();
    const storage = definePlugin({ name: "storage", setup: (node) => node.storage.driver(driver) });
    const node = await createNode({
      plugins: [storage],
      genesis: json,
      options: { keyValueStorage: "spy", ...options },
    });

    await expect(node.start()).rejects.toMatchObject({ code: "GENESIS_INVALID" });
    expect(events).toEqual([]);
  });
});

describe("the storage", () => {
  it("is opened in a folder of the data path, which is created", async () => {
    await using folder = await createTempFolder();
    const dataPath = join(folder.path, "not", "there", "yet");
    const { driver, events } = spyDriver();
    const storage = definePlugin({ name: "storage", setup: (node) => node.storage.driver(driver) });

    await using _ = await createTestNode({
      plugins: [storage],
      options: { keyValueStorage: "SPY", dataPath },
    });

    expect(events).toEqual([`open ${join(dataPath, "database")}`]);
    expect((await stat(dataPath)).isDirectory()).toBe(true);
  });

  it("in memory creates no folder", async () => {
    await using folder = await createTempFolder();
    const dataPath = join(folder.path, "data");

    await using _ = await createTestNode({ options: { dataPath, keyValueStorage: "memory" } });

    await expect(stat(dataPath)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("cannot be opened if the data path is a file", async () => {
    await using folder = await createTempFolder();
    const dataPath = join(folder.path, "file");
    await writeFile(dataPath, "");
    const { driver, events } = spyDriver();
    const storage = definePlugin({ name: "storage", setup: (node) => node.storage.driver(driver) });
    const options = { keyValueStorage: "spy", dataPath };
    const node = await createNode({ plugins: [storage, ...devChain], genesis, options });

    await expect(node.start()).rejects.toMatchObject({
      code: "DATA_PATH_INVALID",
      message: `${dataPath}: already exists and is not a directory.`,
    });
    expect(events).toEqual([]);
  });

  it("cannot be opened in a folder inside a file", async () => {
    await using folder = await createTempFolder();
    const file = join(folder.path, "file");
    await writeFile(file, "");
    const { driver } = spyDriver();
    const storage = definePlugin({ name: "storage", setup: (node) => node.storage.driver(driver) });
    const options = { keyValueStorage: "spy", dataPath: join(file, "data") };
    const node = await createNode({ plugins: [storage, ...devChain], genesis, options });

    await expect(node.start()).rejects.toMatchObject({ code: "DATA_PATH_INVALID" });
  });

  it("must be one that a plugin contributes", async () => {
    const node = await createNode({
      plugins: [...devChain],
      genesis,
      options: { keyValueStorage: "disk" },
    });

    await expect(node.start()).rejects.toMatchObject({
      code: "DRIVER_UNKNOWN",
      message:
        "Invalid value for option '--key-value-storage': no loaded plugin offers 'disk'; they offer memory",
    });
  });

  it("may have the name used by other clients, with a warning", async () => {
    await using folder = await createTempFolder();
    const logs = recordLogs();
    const { driver, events } = spyDriver("leveldb");
    const storage = definePlugin({ name: "storage", setup: (node) => node.storage.driver(driver) });

    await using _ = await createTestNode({
      plugins: [storage],
      options: { keyValueStorage: "rocksdb", dataPath: folder.path },
      logs,
    });

    expect(events).toHaveLength(1);
    expect(logs.entries).toMatchObject([{ level: "warn" }]);
  });
});

describe("the node key", () => {
  const key = { address: `0x${"ab".repeat(20)}` } as NodeKey;

  it("is undefined if no plugin contributes a driver", async () => {
    await using node = await createTestNode();

    expect(node.node.nodeKey).toBeUndefined();
  });

  it("is opened by the selected driver, in the data path", async () => {
    await using folder = await createTempFolder();
    const opened: unknown[] = [];
    const keys = definePlugin({
      name: "keys",
      setup(node) {
        node.keys.driver({
          name: "vault",
          async open(place) {
            opened.push(place);
            return key;
          },
        });
      },
    });

    await using node = await createTestNode({
      plugins: [keys],
      options: { securityModule: "vault", dataPath: folder.path },
    });

    expect(node.node.nodeKey).toBe(key);
    expect(opened).toEqual([{ dataPath: folder.path }]);
  });

  it("must come from an existing driver, once one is selected", async () => {
    const node = await createNode({
      plugins: [],
      genesis,
      options: { ...memory, securityModule: "vault" },
    });

    await expect(node.start()).rejects.toMatchObject({ code: "DRIVER_UNKNOWN" });
  });
});

function keepRuntime() {
  let kept: Runtime | undefined;
  const plugin = definePlugin({
    name: "plugin",
    setup(node) {
      node.onStart((runtime) => {
        kept = runtime;
      });
    },
  });
  const runtime = (): Runtime => {
    if (kept === undefined) throw new Error("the plugin has not started");
    return kept;
  };
  return { plugin, runtime };
}

/** The memory driver under another name, with a record of its use. */
function spyDriver(name = "spy") {
  const events: string[] = [];
  const driver = {
    name,
    open(place: { readonly folder: string }) {
      events.push(`open ${place.folder}`);
      return createMemoryStorageDriver().open(place);
    },
  };
  return { driver, events };
}
