import { type Address, getCrypto, type Hex, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import consensusClique from "@plinth/plugin-consensus-clique";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import rpcClique from "@plinth/plugin-rpc-clique";
import rpcIbft from "@plinth/plugin-rpc-ibft";
import rpcQbft from "@plinth/plugin-rpc-qbft";
import { createTestNode, FakeClock } from "@plinth/testing";
import { bothTransports, connectBoth, offerOverBoth } from "./both-interfaces.js";
import { cliqueGenesis } from "./clique-chain.js";

const KEY: Hex = `0x${"11".repeat(32)}`;
const START_MS = 1_700_000_000_000;

await loadCrypto();
/** The only signer or validator. */
export const OWN: Address = getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(KEY)));

export type Authority = "clique" | "ibft" | "qbft";
export type AuthorityNode = Awaited<ReturnType<typeof startAuthority>>;

/** A node that is the only authority of its chain, over HTTP and WebSocket, on a manual clock. */
export async function startAuthority(namespace: Authority) {
  const { plugins, genesis } = CHAINS[namespace];
  const clock = new FakeClock(START_MS);
  const node = await createTestNode({
    plugins: [...plugins, ...bothTransports],
    key: KEY,
    clock,
    options: offerOverBoth([namespace.toUpperCase()]),
    genesis: genesis(),
  });
  const interfaces = await connectBoth(node.node);
  return {
    ...interfaces,
    namespace,
    node,
    async makeBlocks(count: number) {
      const { number } = node.node.blocks.head();
      while (node.node.blocks.head().number < number + BigInt(count)) await clock.advance(500);
    },
    async [Symbol.asyncDispose]() {
      interfaces[Symbol.dispose]();
      await node.stop();
    },
  };
}

const CHAINS = {
  clique: {
    plugins: [consensusClique, rpcClique],
    genesis: () =>
      cliqueGenesis({
        signers: [{ key: hexToBytes(KEY), address: OWN }],
        config: { londonBlock: 0 },
        timestamp: START_MS / 1000,
      }),
  },
  ibft: {
    plugins: [consensusIbft, rpcIbft],
    genesis: () => bftGenesis("ibft2", ibftExtraData.encodeGenesis([OWN])),
  },
  qbft: {
    plugins: [consensusQbft, rpcQbft],
    genesis: () => bftGenesis("qbft", qbftExtraData.encodeGenesis([OWN])),
  },
} as const;

function bftGenesis(engine: string, extraData: Uint8Array): object {
  return {
    config: { chainId: 1337, londonBlock: 0, [engine]: { blockPeriodSeconds: 1 } },
    difficulty: "0x1",
    gasLimit: "0x1c9c380",
    timestamp: `0x${(START_MS / 1000).toString(16)}`,
    extraData: toHex(extraData),
    alloc: {},
  };
}
