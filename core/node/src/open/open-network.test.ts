import type { ProtocolPeer, Runtime } from "@plinth/core";
import { definePlugin, defineService, unavailable } from "@plinth/core";
import { chainJoins } from "@plinth/core/chain";
import type { NetworkDriver, NetworkHost, PeerLink } from "@plinth/core/network";
import { devChain } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { createNode } from "../run/create-node.js";

const genesis = { config: { chainId: 7, dev: {} } };
const TOY = { name: "toy", version: 1, length: 2 };

/** A driver that only records its calls. */
function createDriver(events: string[] = [], start = async () => void events.push("start")) {
  let host: NetworkHost | undefined;
  const driver: NetworkDriver = {
    name: "test",
    async open(opened) {
      host = opened;
      events.push("open");
      return {
        localNode: undefined,
        maxPeers: 3,
        allowsNames: false,
        start,
        stop: async () => void events.push("stop"),
        addStaticPeer: () => true,
        removeStaticPeer: () => true,
      };
    },
  };
  const plugin = definePlugin({
    name: "network-test",
    setup: ({ network }) => network.driver(driver),
  });
  return { plugin, host: () => host ?? expect.fail("the driver was not opened") };
}

function create(plugins: readonly ReturnType<typeof definePlugin>[], options: object = {}) {
  return createNode({
    plugins: [...devChain, ...plugins],
    genesis,
    options: { keyValueStorage: "memory", networkDriver: "test", ...options },
  });
}

describe("the network driver", () => {
  it("starts after every plugin is ready, and stops before the first one stops", async () => {
    const events: string[] = [];
    const { plugin } = createDriver(events);
    const other = definePlugin({
      name: "other",
      setup({ hooks, onStart, onStop }) {
        onStart(() => void events.push("onStart"));
        hooks.lifecycle.ready.tap(() => void events.push("ready"));
        hooks.lifecycle.stopping.tap(() => void events.push("stopping"));
        onStop(() => void events.push("onStop"));
      },
    });
    const node = await create([plugin, other]);

    await node.start();
    await node.stop();

    expect(events).toEqual([
      ...["open", "onStart", "ready", "start"],
      ...["stopping", "stop", "onStop"],
    ]);
  });

  it("is stopped if it fails to start for a node that joins a chain, so that nothing stays bound", async () => {
    const events: string[] = [];
    const { plugin } = createDriver(events, async () => {
      events.push("start");
      throw new Error("no route to any host");
    });
    const joining = definePlugin({
      name: "joining",
      setup: ({ contribute }) =>
        contribute(chainJoins, {
          join: async (target) => void (await target.openNetwork([])),
          found() {},
        }),
    });
    const node = await create([plugin, joining]);

    await expect(node.start()).rejects.toThrow("no route to any host");

    expect(events.slice(0, 3)).toEqual(["open", "start", "stop"]);
  });

  it("receives the node and the protocols of active plugins", async () => {
    const Missing = defineService<object>("test.missing");
    const { plugin, host } = createDriver();
    const provider = definePlugin({
      name: "provider",
      provides: [Missing],
      setup: ({ services }) => services.provide(Missing, () => unavailable("not on this chain")),
    });
    const session = { connected: () => ({ received() {} }) };
    const toy = definePlugin({
      name: "toy",
      setup: ({ network }) => network.protocol({ ...TOY, ...session }),
    });
    const idle = definePlugin({
      name: "idle",
      dependencies: { missing: Missing },
      setup: ({ network }) => network.protocol({ ...TOY, version: 2, ...session }),
    });
    const node = await create([plugin, provider, toy, idle], { networkId: 9 });

    await node.open();

    expect(host()).toMatchObject({ networkId: 9n, genesis, nodeKey: undefined });
    expect(host().protocols).toEqual([TOY]);
    await node.stop();
  });

  it("passes connections to the plugin of the protocol, with its runtime", async () => {
    const { plugin, host } = createDriver();
    const seen: [ProtocolPeer, Runtime][] = [];
    const toy = definePlugin({
      name: "toy",
      setup: ({ network }) =>
        network.protocol({
          ...TOY,
          connected(peer, runtime) {
            seen.push([peer, runtime]);
            return { received() {} };
          },
        }),
    });
    const node = await create([plugin, toy]);
    await node.start();

    host().connected(link);

    const [[peer, runtime] = []] = seen;
    expect(peer?.id).toBe(link.id);
    expect(runtime?.network.peers()).toHaveLength(1);
    expect(runtime?.network.maxPeers).toBe(3);
    expect(runtime?.sync.isSyncing).toBe(false);
    await node.stop();
  });

  it("is rejected by name if no plugin has it, and none is required if none is selected", async () => {
    const { plugin } = createDriver();

    const unknown = await create([plugin], { networkDriver: "carrier-pigeon" });
    await expect(unknown.start()).rejects.toMatchObject({
      code: "DRIVER_UNKNOWN",
      message: expect.stringContaining("--network-driver"),
    });
    const alone = await createNode({
      plugins: [...devChain],
      genesis,
      options: { keyValueStorage: "memory" },
    });
    await alone.start();
    expect(alone.network).toMatchObject({ isEnabled: false });
    await alone.stop();
  });

  it("that fails to open names its plugin", async () => {
    const broken = definePlugin({
      name: "network-broken",
      setup: ({ network }) =>
        network.driver({ name: "test", open: () => Promise.reject(new Error("no cable")) }),
    });
    const node = await create([broken]);

    await expect(node.start()).rejects.toMatchObject({
      code: "PLUGIN_FAILED",
      plugin: "network-broken",
      message: expect.stringContaining("no cable"),
    });
  });

  it("is not opened for commands", async () => {
    const events: string[] = [];
    const node = await create([createDriver(events).plugin]);

    await node.open({ isOffline: true });
    await node.stop();

    expect(events).toEqual([]);
  });
});

const link: PeerLink = {
  id: "0xab",
  enode: { id: "0xab", host: "127.0.0.1", tcpPort: 1, udpPort: 1 },
  direction: "inbound",
  clientId: "test",
  p2pVersion: 5,
  capabilities: [TOY],
  protocols: [TOY],
  localAddress: { host: "127.0.0.1", port: 1 },
  remoteAddress: { host: "127.0.0.1", port: 2 },
  send() {},
  bufferedBytes: () => 0,
  drained: async () => {},
  close() {},
};
