import { describe, expect, it } from "vitest";
import { report } from "../support/report.js";
import { type NetworkNode, startOnDev, until } from "./network-node.js";

/** `npm run long -- network` has one node more, kills every node, and runs the tests that mine for long. */
const isLong = process.env.PLINTH_NETWORK !== undefined;
const EQUAL_MS = 30_000;
const MINER = ["--miner-enabled", "--miner-coinbase=0xfe3b557e8fb62b89f4916b721be55ceb828dbd73"];

describe("processes on the network dev, one of which mines", () => {
  it("have equal heads: after a sync, by gossip, and after each was killed", async () => {
    await using miner = await startOnDev({ words: MINER });
    await until(async () => (await heightOf(miner)) >= 3, 60_000);
    const bootnodes = [await miner.enode()];
    await using alice = await startOnDev({ bootnodes });
    await using bob = await startOnDev({ bootnodes });
    await using carol = isLong ? await startOnDev({ bootnodes }) : undefined;
    const nodes = [miner, alice, bob, ...(carol === undefined ? [] : [carol])];

    const times = [await untilEqual(nodes)];
    for (const node of isLong ? [...nodes.slice(1), miner] : [alice, miner]) {
      await node.killAndRestart();
      times.push(await untilEqual(nodes));
    }

    report(`milliseconds until ${nodes.length} nodes had equal heads`, times);
    expect(await heightOf(bob)).toBeGreaterThanOrEqual(3);
  });

  it.runIf(isLong)("switch to a chain that is longer by five blocks", async () => {
    await using left = await startOnDev({ words: MINER });
    await using right = await startOnDev({ words: MINER });
    await until(async () => (await heightOf(left)) >= 5 && (await heightOf(right)) >= 5, 90_000);
    await left.rpc("miner_stop");
    const forked = await left.rpc("eth_getBlockByNumber", ["0x5", false]);
    const last = await heightOf(left);
    await until(async () => (await heightOf(right)) >= last + 3, 90_000);
    await right.rpc("miner_stop");

    await left.rpc("admin_addPeer", [await right.enode()]);

    report("milliseconds until a reorganization was over", [await untilEqual([left, right])]);
    expect(await left.rpc("eth_getBlockByNumber", ["0x5", false])).not.toEqual(forked);
  });
});

async function heightOf(node: NetworkNode): Promise<number> {
  return Number(await node.rpc("eth_blockNumber"));
}

/** Heads are equal if one block is the head of all, however fast they advance. */
async function untilEqual(nodes: readonly NetworkNode[]): Promise<number> {
  const areEqual = async () => {
    const hashes = await Promise.all(nodes.map(headOf));
    return new Set(hashes).size === 1;
  };
  return until(areEqual, EQUAL_MS);
}

async function headOf(node: NetworkNode): Promise<unknown> {
  return Object(await node.rpc("eth_getBlockByNumber", ["latest", false])).hash;
}
