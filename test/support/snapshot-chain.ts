import { getCrypto, type Hex, hexToBytes, loadCrypto, messageOf, toHex } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { silentLogs } from "@plinth/core/kernel";
import { createNode, runCommand } from "@plinth/node";
import cmdSnapshot from "@plinth/plugin-cmd-snapshot";
import consensusClique from "@plinth/plugin-consensus-clique";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import rpcEth from "@plinth/plugin-rpc-eth";
import storageLevel from "@plinth/plugin-storage-level";
import {
  createTestNode,
  DEV_GENESIS,
  devChain,
  FakeClock,
  signTransaction,
  type TestNode,
  type TestNodeSettings,
  type TransactionFields,
} from "@plinth/testing";
import { cliqueGenesis } from "./clique-chain.js";
import type { CommandEnd } from "./stored-data.js";

const KEY: Hex = `0x${"11".repeat(32)}`;
/** The time of block 0. */
export const START_MS = 1_700_000_000_000;
const PERIOD_SECONDS = 1;

await loadCrypto();
/** The address of the signer or validator. */
export const OWN = getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(KEY)));

const CONTRACT = `0x${"cc".repeat(20)}`;
/** Returns a list of one address. */
const CONTRACT_CODE = `0x6020600052600160205273${OWN.slice(2)}60405260606000f3`;
const TIMING = { blockPeriodSeconds: PERIOD_SECONDS };
const IBFT_EXTRA_DATA = toHex(ibftExtraData.encodeGenesis([OWN]));

/** Chains of one signer or validator, and one whose headers prove nothing. */
export const SNAPSHOT_CHAINS = {
  qbft: bftGenesis({ qbft: TIMING }, toHex(qbftExtraData.encodeGenesis([OWN]))),
  ibft2: bftGenesis({ ibft2: TIMING }, IBFT_EXTRA_DATA),
  ibft2ToQbft: bftGenesis({ ibft2: TIMING, qbft: { ...TIMING, startBlock: 3 } }, IBFT_EXTRA_DATA),
  qbftContract: bftGenesis(
    { qbft: { ...TIMING, validatorContractAddress: CONTRACT } },
    toHex(qbftExtraData.encodeGenesis([])),
    { [CONTRACT]: { balance: "0x0", code: CONTRACT_CODE } },
  ),
  clique: cliqueGenesis({
    signers: [{ key: hexToBytes(KEY), address: OWN }],
    config: { londonBlock: 0 },
    timestamp: START_MS / 1000,
    alloc: DEV_GENESIS.alloc,
  }),
  dev: DEV_GENESIS,
} as const;

/** The engines, the database and the command. */
export const PLUGINS = [storageLevel, consensusQbft, consensusIbft, consensusClique, cmdSnapshot];

function bftGenesis(engines: object, extraData: Hex, alloc: object = {}) {
  return {
    config: { chainId: 1337, londonBlock: 0, ...engines },
    difficulty: "0x1",
    gasLimit: "0x1c9c380",
    timestamp: `0x${(START_MS / 1000).toString(16)}`,
    extraData,
    alloc: { ...DEV_GENESIS.alloc, ...alloc },
  };
}

/** A node with its data in LevelDB that produces blocks on demand. */
export interface SnapshotNode extends AsyncDisposable {
  readonly node: TestNode;
  /** Produces a block with transactions of Alice. */
  add(...transactions: readonly TransactionFields[]): Promise<void>;
}

/** Starts a node of one of the chains, or of one like it. */
export async function startSnapshotNode(
  dataPath: string,
  chain: Exclude<keyof typeof SNAPSHOT_CHAINS, "dev">,
  more: Pick<TestNodeSettings, "plugins" | "options" | "genesis"> & {
    /** That of Alice; 0 by default. */
    readonly nonce?: number;
  } = {},
): Promise<SnapshotNode> {
  const clock = new FakeClock(START_MS);
  const node = await createTestNode({
    plugins: [...PLUGINS, rpcEth, ...(more.plugins ?? [])],
    options: { keyValueStorage: "leveldb", dataPath, minGasPrice: 0n, ...more.options },
    key: KEY,
    clock,
    genesis: more.genesis ?? SNAPSHOT_CHAINS[chain],
  });
  let { nonce = 0 } = more;
  return {
    node,
    async add(...transactions) {
      for (const fields of transactions) {
        const raw = await signTransaction({ nonce: nonce++, ...fields });
        await node.rpc("eth_sendRawTransaction", [raw]);
      }
      const { number, timestamp } = node.node.blocks.head();
      const due = (Number(timestamp) + PERIOD_SECONDS) * 1000;
      await clock.advance(Math.max(0, due - clock.now()));
      // No further: the next block would be due while this one is written.
      while (node.node.blocks.head().number === number) await clock.advance(0);
    },
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

/** Runs a command of `snapshot` in this process. */
export async function runSnapshot(
  dataPath: string,
  id: "create" | "verify" | "inspect",
  {
    args,
    flags = {},
    genesis = SNAPSHOT_CHAINS.qbft,
    signal,
  }: {
    readonly args: readonly string[];
    readonly flags?: object;
    readonly genesis?: object;
    readonly signal?: AbortSignal;
  },
): Promise<CommandEnd> {
  const node = await createNode({
    plugins: [...PLUGINS, ...devChain],
    options: { keyValueStorage: "leveldb", dataPath },
    genesis,
  });
  const found = node.commands().find(({ item }) => item.id === `snapshot ${id}`)?.item;
  let output = "";
  const io = {
    read: async () => "",
    warn() {},
    write: async (text: string) => {
      output += `${text}\n`;
    },
  };
  try {
    await runCommand(node, found as AnyCommand, {
      flags: { ...flags },
      args,
      io,
      log: silentLogs.for("test"),
      ...(signal && { signal }),
    });
    return { output };
  } catch (error) {
    return { output: `${output}${messageOf(error)}`, error };
  }
}
