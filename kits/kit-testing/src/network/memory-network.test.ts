import { definePlugin } from "@plinth/core";
import { createNode } from "@plinth/node";
import { devChain } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { FakeClock } from "../fake-clock.js";
import { MemoryNetwork, type MemoryNetworkSettings } from "./memory-network.js";

const toy = definePlugin({
  name: "toy",
  setup: ({ network }) =>
    network.protocol({ name: "toy", version: 1, length: 1, connected: () => ({ received() {} }) }),
});

async function startNodes(
  count: number,
  settings: Omit<MemoryNetworkSettings, "clock"> = {},
  plugins = [toy],
) {
  const clock = new FakeClock();
  const network = new MemoryNetwork({ clock, ...settings });
  const nodes = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const node = await createNode({
        plugins: [...devChain, ...plugins, network.plugin(`node-${n}`)],
        options: { keyValueStorage: "memory", networkDriver: "memory" },
        genesis: { config: { chainId: 1, dev: {} } },
        clock,
      });
      await node.start();
      return node;
    }),
  );
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  return { clock, network, nodes, [Symbol.asyncDispose]: stop };
}

/** Number of nodes reachable from the first one. */
function countReached(network: MemoryNetwork): number {
  const reached = new Set(network.names().slice(0, 1));
  for (const name of reached) {
    for (const pair of network.connections()) {
      if (pair.includes(name)) for (const other of pair) reached.add(other);
    }
  }
  return reached.size;
}

describe("a network in memory", () => {
  it("connects every node with every other if there are enough slots", async () => {
    await using started = await startNodes(5);

    await started.clock.advance(5_000);

    expect(started.network.connections()).toHaveLength(10);
    for (const { network } of started.nodes) expect(network?.peers()).toHaveLength(4);
  });

  it("of sixty nodes with few slots forms one connected graph", async () => {
    await using started = await startNodes(60, { maxPeers: 5, seed: 3 });

    await started.clock.advance(20_000);

    expect(countReached(started.network)).toBe(60);
    for (const { network } of started.nodes) {
      expect(network?.peers().length).toBeLessThanOrEqual(5);
    }
  });

  it("is the same for the same seed, and differs for another", async () => {
    const connectionsOf = async (seed: number) => {
      await using started = await startNodes(12, { maxPeers: 2, seed });
      await started.clock.advance(10_000);
      return JSON.stringify(started.network.connections());
    };

    const [one, again, other] = [
      await connectionsOf(1),
      await connectionsOf(1),
      await connectionsOf(2),
    ];

    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  it("connects no nodes without a common protocol", async () => {
    await using started = await startNodes(2, {}, []);

    await started.clock.advance(5_000);

    expect(started.network.connections()).toEqual([]);
  });

  it("asks plugins before it dials and before it accepts", async () => {
    const asked: string[] = [];
    const guard = definePlugin({
      name: "guard",
      setup: ({ hooks }) =>
        hooks.network.connect.tap(({ direction }) => {
          asked.push(direction);
          return direction === "inbound" ? { message: "no inbound peers" } : undefined;
        }),
    });
    await using started = await startNodes(2, {}, [toy, guard]);

    await started.clock.advance(1_500);

    expect(asked.slice(0, 2)).toEqual(["outbound", "inbound"]);
    expect(started.network.connections()).toEqual([]);
  });

  it("keeps owners of protocols and of the driver while it runs", async () => {
    await using started = await startNodes(1);
    const [node] = started.nodes;

    for (const name of ["toy", "network-memory"]) {
      await expect(node?.disable(name)).rejects.toMatchObject({ code: "PLUGIN_NOT_DISABLED" });
    }
  });

  it.each([
    ["a name that is too long", { name: "protocols", version: 1, length: 1 }],
    ["a version below zero", { name: "toy", version: -1, length: 1 }],
    ["no codes", { name: "toy", version: 1, length: 0 }],
  ])("rejects a protocol with %s", async (_, protocol) => {
    const wrong = definePlugin({
      name: "wrong",
      setup: ({ network }) =>
        network.protocol({ ...protocol, connected: () => ({ received() {} }) }),
    });

    await expect(startNodes(1, {}, [wrong])).rejects.toMatchObject({ code: "PROTOCOL_INVALID" });
  });
});
