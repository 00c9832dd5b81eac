import { definePlugin, type Plugin } from "@plinth/core";
import graphql from "@plinth/plugin-graphql";
import protocolEth from "@plinth/plugin-protocol-eth";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcPlinth from "@plinth/plugin-rpc-plinth";
import rpcSubscribe from "@plinth/plugin-rpc-subscribe";
import syncFull from "@plinth/plugin-sync-full";
import transportHttp from "@plinth/plugin-transport-http";
import {
  connectDuplex,
  createTestNode,
  FakeClock,
  MemoryNetwork,
  sendHttp,
  type TestNode,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";

const BLOCKS = 300;

/** Delays every block by a tenth of a second, so that a synchronization can be observed. */
const slowImports = definePlugin({
  name: "slow-imports",
  setup: ({ hooks }) => hooks.chain.verifyBlock.tap(async (_event, { clock }) => clock.sleep(100)),
});

describe("a node that synchronizes slowly", () => {
  it("reports over RPC, a subscription, GraphQL and readiness how far it is, and when it is done", async () => {
    const clock = new FakeClock(1_700_000_000_000);
    const network = new MemoryNetwork({ clock, delayMs: 400 });
    const start = (name: string, plugins: readonly Plugin[] = [], options: object = {}) =>
      createTestNode({
        plugins: [protocolEth, syncFull, network.plugin(name), ...plugins],
        options: { networkDriver: "memory", ...options },
        clock,
      });
    await using ahead = await start("ahead");
    for (let made = 0; made < BLOCKS; made++) await ahead.mine([]);
    await using node = await start(
      "node",
      [slowImports, rpcEth, rpcSubscribe, rpcPlinth, graphql, transportHttp],
      { graphqlHttpEnabled: true, graphqlHttpPort: 0, rpcHttpEnabled: true, rpcHttpPort: 0 },
    );
    using caller = connectDuplex(node.node);
    await caller.rpc("eth_subscribe", ["syncing"]);
    expect(await node.rpc("eth_syncing")).toBe(false);
    expect(await node.rpc("eth_protocolVersion")).toBe("0x45");

    while ((await node.rpc("eth_syncing")) === false) await clock.advance(50);

    const behind = { startingBlock: "0x0", currentBlock: "0x1", highestBlock: "0x12c" };
    expect(await node.rpc("eth_syncing")).toEqual(behind);
    expect(await node.rpc("plinth_status")).toMatchObject({
      sync: { syncing: true, highest: "0x12c" },
    });
    expect(await askGraphql(node)).toEqual({
      syncing: { startingBlock: 0, currentBlock: 1, highestBlock: BLOCKS },
      protocolVersion: 69,
    });
    expect(await isReady(node, "")).toBe(false);
    expect(await isReady(node, "?maxBlocksBehind=1000")).toBe(true);

    await clock.advance(60_000);

    expect(await node.rpc("eth_syncing")).toBe(false);
    expect(await askGraphql(node)).toMatchObject({ syncing: null });
    expect(await isReady(node, "")).toBe(true);
    expect(await isReady(node, "?minPeers=2")).toBe(false);
    const notifications = [await caller.next(), await caller.next()];
    expect(notifications.map(({ params }) => Object(params).result)).toEqual([behind, false]);
  });
});

async function askGraphql(node: TestNode): Promise<unknown> {
  const query = "{syncing{startingBlock currentBlock highestBlock} protocolVersion}";
  const { text } = await sendHttp({
    port: portOf(node, "graphql-http"),
    path: "/graphql",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  return JSON.parse(text).data;
}

async function isReady(node: TestNode, query: string): Promise<boolean> {
  const port = portOf(node, "json-rpc");
  const { status } = await sendHttp({ port, method: "GET", path: `/readiness${query}` });
  return status === 200;
}

function portOf({ node }: TestNode, name: string): number {
  const endpoint = node.rpc.endpoints().find((each) => each.name === name);
  const names = node.rpc.endpoints().map((each) => each.name);
  if (endpoint?.address === undefined) throw new Error(`no ${name}; there are ${names.join(", ")}`);
  return endpoint.address.port;
}
