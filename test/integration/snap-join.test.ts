import { writeFileSync } from "node:fs";
import { type Clock, type Hash, systemClock } from "@plinth/core";
import type { Logs } from "@plinth/core/kernel";
import { formatEnode } from "@plinth/core/network";
import consensusClique from "@plinth/plugin-consensus-clique";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import networkDevp2p from "@plinth/plugin-network-devp2p";
import protocolEth from "@plinth/plugin-protocol-eth";
import protocolSnap from "@plinth/plugin-protocol-snap";
import rpcEth from "@plinth/plugin-rpc-eth";
import storageLevel from "@plinth/plugin-storage-level";
import syncFull from "@plinth/plugin-sync-full";
import syncSnap from "@plinth/plugin-sync-snap";
import { createTestNode, recordLogs, type TestNode } from "@plinth/testing";
import { afterAll, expect, it } from "vitest";
import { SNAPSHOT_CHAINS, START_MS, startSnapshotNode } from "../support/snapshot-chain.js";
import { readAnswers } from "../support/stored-data.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const CONTRACT = `0x${"c0".repeat(20)}`;
const BOB = `0x${"b0".repeat(20)}` as const;
const P2P = { p2pInterface: "127.0.0.1", p2pPort: 0, discoveryEnabled: false, natMethod: "NONE" };
/** A clock that starts at a time at which the blocks are some minutes old. */
const OFFSET_MS = Date.now() - (START_MS + 600_000);
const CLOCK: Clock = {
  now: () => systemClock.now() - OFFSET_MS,
  sleep: (ms, signal) => systemClock.sleep(ms, signal),
  after: (ms, callback) => systemClock.after(ms, callback),
};
const slotOf = (number: number): Hash => `0x${number.toString(16).padStart(64, "0")}`;

const folder = temporaryFolder();

afterAll(() => folder[Symbol.dispose]());

/** A chain with a contract. */
function genesisOf(chain: "qbft" | "clique") {
  const { alloc, ...rest } = SNAPSHOT_CHAINS[chain] as { alloc: object };
  const storage = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [slotOf(index), slotOf(index + 1)]),
  );
  return { ...rest, alloc: { ...alloc, [CONTRACT]: { balance: "0x1", code: "0x6001", storage } } };
}

/** The only validator of a chain, which serves its states. */
async function startServer(chain: "qbft" | "clique", blocks: number) {
  const server = await startSnapshotNode(folder.file(`server-${chain}`), chain, {
    plugins: [networkDevp2p, protocolEth, protocolSnap],
    options: { ...P2P, XsnapsyncServerEnabled: true },
    genesis: genesisOf(chain),
  });
  for (let value = 1; value <= blocks; value++) await server.add({ to: BOB, value: 1n });
  return server;
}

function enodesOf({ node }: TestNode): readonly string[] {
  const { enode } = node.network?.localNode ?? expect.fail("not listening");
  return [formatEnode(enode)];
}

/** A node that joins the chain of others. */
function startJoiner(
  name: string,
  chain: "qbft" | "clique",
  enodes: readonly string[],
  { logs = recordLogs(), options = {} }: { logs?: Logs; options?: object } = {},
): Promise<TestNode> {
  const staticNodesFile = folder.file(`${name}-static-nodes.json`);
  writeFileSync(staticNodesFile, JSON.stringify(enodes));
  return createTestNode({
    plugins: [
      ...[consensusQbft, consensusClique, networkDevp2p, protocolEth, syncFull, syncSnap],
      ...[rpcEth, storageLevel],
    ],
    key: `0x${"22".repeat(32)}`,
    options: {
      ...P2P,
      syncMode: "SNAP",
      keyValueStorage: "leveldb",
      dataStorageFormat: "BONSAI",
      dataPath: folder.file(name),
      staticNodesFile,
      ...options,
    },
    genesis: genesisOf(chain),
    clock: CLOCK,
    logs,
  });
}

/** Resolves in the next turn of the event loop. */
const turn = () => new Promise((done) => setImmediate(done));

async function untilHead({ node }: TestNode, hash: Hash): Promise<void> {
  while (node.blocks.head().hash !== hash) await turn();
}

it.each([
  ["qbft", 20, 16n],
  ["clique", 68, 64n],
] as const)(
  "a node of a %s chain joins by its peers, follows them, and adds old blocks",
  async (chain, blocks, distance) => {
    await using server = await startServer(chain, blocks);
    const { blocks: served } = server.node.node;
    await using node = await startJoiner(`joiner-${chain}`, chain, enodesOf(server.node));

    expect(node.node.blocks.oldestStates().values).toBe(served.head().number - distance);
    await untilHead(node, served.head().hash);
    await server.add({ to: BOB, value: 1n });
    await untilHead(node, served.head().hash);
    expect(node.node.blocks.head().stateRoot).toBe(served.head().stateRoot);
    expect(await node.rpc("eth_getBalance", [BOB, "latest"])).toBe(toQuantity(blocks + 1));
    expect(await node.rpc("eth_getStorageAt", [CONTRACT, "0x7", "latest"])).toBe(slotOf(8));
    expect(await node.rpc("eth_getCode", [CONTRACT, "latest"])).toBe("0x6001");
    while (node.node.blocks.firstRetained() > 0n) await turn();
    expect(readAnswers(node.node).blocks).toEqual(readAnswers(server.node.node).blocks);
  },
);

function toQuantity(number: number): string {
  return `0x${number.toString(16)}`;
}
