import { readFileSync } from "node:fs";
import { definePlugin, type Hash, type Plugin } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import type { Node } from "@plinth/node";
import { createTestNode, type TestNode } from "@plinth/testing";
import { readBlocks } from "./block-file.js";
import { loadShippedPlugins } from "./shipped-plugins.js";
import { temporaryFolder } from "./temporary-folder.js";
import { unsealed } from "./unsealed.js";

/** Every namespace. */
const NAMESPACES =
  "ADMIN,ANVIL,CLIQUE,DEBUG,EEA,ERIGON,ETH,EVM,HARDHAT,IBFT,MINER,NET,OTS,PERM,PERSONAL,PLINTH,PLUGINS,PRIV,PRIVX,QBFT,RPC,TRACE,TXPOOL,WEB3";
const KEY = `0x${"11".repeat(32)}` as const;

/** A chain that others produced. */
export interface RecordedChain {
  readonly genesis: string;
  readonly blocks: string;
  /** The last block that is imported; all of them by default. */
  readonly last?: bigint;
}

/** A running node with its addresses. */
export interface ServedNode {
  readonly node: TestNode;
  readonly url: string;
  readonly graphqlUrl: string;
}

/** A node with a recorded chain, and a replica that has followed it to its head; both have every plugin. */
export interface NodeAndReplica extends AsyncDisposable {
  readonly source: ServedNode;
  readonly replica: ServedNode;
}

/** Starts both; the options are of both. */
export async function startNodeAndReplica(
  chain: RecordedChain,
  options: Readonly<Record<string, unknown>> = {},
): Promise<NodeAndReplica> {
  const folder = temporaryFolder();
  const started: TestNode[] = [];
  const stop = async () => {
    for (const node of started.reverse()) await node.stop();
    folder[Symbol.dispose]();
  };
  try {
    const genesis = JSON.parse(readFileSync(chain.genesis, "utf8"));
    const plugins = [...(await loadShippedPlugins()), unsealed];
    const source = await start({
      ...{ plugins, genesis, key: KEY },
      options: { dataPath: folder.path, changesEnabled: true, ...options },
    });
    started.push(source.node);
    const head = await importBlocks(source.node.node, chain);
    const moved = new Signal();
    const watching = definePlugin({
      name: "watching",
      setup: ({ hooks }) => hooks.chain.headChanged.tap(() => moved.notify()),
    });
    const replica = await start({
      ...{ plugins: [...plugins, watching], genesis },
      options: { dataPath: folder.file("replica"), follow: [source.url], ...options },
    });
    started.push(replica.node);
    while (replica.node.node.blocks.head().hash !== head) await moved.next();
    return { source, replica, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function importBlocks(
  { blocks }: Node,
  { blocks: file, last }: RecordedChain,
): Promise<Hash> {
  for (const block of readBlocks(file)) {
    const { number } = block.header;
    if (number === 0n || number > (last ?? number)) continue;
    await blocks.import(block, { origin: "peer" });
  }
  return blocks.head().hash;
}

async function start({
  options,
  ...settings
}: {
  readonly plugins: readonly Plugin[];
  readonly genesis: unknown;
  readonly options: Readonly<Record<string, unknown>>;
  readonly key?: typeof KEY;
}): Promise<ServedNode> {
  const node = await createTestNode({
    ...settings,
    options: {
      ...{ rpcHttpEnabled: true, rpcHttpPort: 0, rpcHttpApi: NAMESPACES.split(",") },
      ...{ graphqlHttpEnabled: true, graphqlHttpPort: 0, p2pEnabled: false },
      dataStorageFormat: "BONSAI",
      ...options,
    },
  });
  const portOf = (wanted: string) =>
    node.node.rpc.endpoints().find(({ name }) => name === wanted)?.address?.port;
  return {
    node,
    url: `http://127.0.0.1:${portOf("json-rpc")}`,
    graphqlUrl: `http://127.0.0.1:${portOf("graphql-http")}/graphql`,
  };
}
