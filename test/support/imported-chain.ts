import { readFileSync } from "node:fs";
import type { CompatibilityMode } from "@plinth/core";
import blobsKzg from "@plinth/plugin-blobs-kzg";
import consensusEthash from "@plinth/plugin-consensus-ethash";
import consensusPos from "@plinth/plugin-consensus-pos";
import evmPlinth from "@plinth/plugin-evm-plinth";
import graphql from "@plinth/plugin-graphql";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcNet from "@plinth/plugin-rpc-net";
import rpcTrace from "@plinth/plugin-rpc-trace";
import rpcTxpool from "@plinth/plugin-rpc-txpool";
import transportHttp from "@plinth/plugin-transport-http";
import { createTestNode } from "@plinth/testing";
import { readBlocks } from "./block-file.js";
import { unsealed } from "./unsealed.js";

/** A running node with the blocks of a file, up to a number; it is reachable over HTTP. */
export async function startWithChain(settings: {
  readonly genesis: string;
  readonly blocks: string;
  readonly last: bigint;
  readonly mode?: CompatibilityMode;
  readonly options?: Readonly<Record<string, unknown>>;
}) {
  const { mode = "plinth" } = settings;
  const node = await createTestNode({
    plugins: [
      evmPlinth,
      blobsKzg,
      consensusEthash,
      consensusPos,
      unsealed,
      rpcEth,
      rpcDebug,
      rpcTrace,
      rpcNet,
      rpcTxpool,
      transportHttp,
      graphql,
    ],
    genesis: JSON.parse(readFileSync(settings.genesis, "utf8")),
    options: {
      rpcHttpEnabled: true,
      rpcHttpPort: 0,
      rpcHttpApi: ["ETH", "NET", "TXPOOL", "DEBUG", "TRACE"],
      rpcCompatibility: mode,
      graphqlHttpEnabled: true,
      graphqlHttpPort: 0,
      ...settings.options,
    },
  });
  for (const block of readBlocks(settings.blocks)) {
    if (block.header.number > 0n && block.header.number <= settings.last) {
      await node.node.blocks.import(block, { origin: "peer" });
    }
  }
  const portOf = (wanted: string) =>
    node.node.rpc.endpoints().find(({ name }) => name === wanted)?.address?.port;
  return {
    node,
    url: `http://127.0.0.1:${portOf("json-rpc")}`,
    graphqlUrl: `http://127.0.0.1:${portOf("graphql-http")}/graphql`,
    [Symbol.asyncDispose]: () => node.stop(),
  };
}
