import { encodeBlock, hexToBytes, toHex } from "@plinth/core";
import { decodeBlock } from "@plinth/core/blocks";
import changes from "@plinth/plugin-changes";
import { hashOfRecord } from "@plinth/plugin-changes/api";
import logIndex from "@plinth/plugin-log-index";
import rpcClique from "@plinth/plugin-rpc-clique";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcIbft from "@plinth/plugin-rpc-ibft";
import rpcOts from "@plinth/plugin-rpc-ots";
import rpcQbft from "@plinth/plugin-rpc-qbft";
import rpcTrace from "@plinth/plugin-rpc-trace";
import snapshotJoin from "@plinth/plugin-snapshot-join";
import transportHttp from "@plinth/plugin-transport-http";
import { ALICE, BOB, type TestNode, transfer } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLiar } from "../support/lying-source.js";
import { startReplica } from "../support/replica.js";
import {
  OWN,
  PLUGINS,
  runSnapshot,
  SNAPSHOT_CHAINS,
  startSnapshotNode,
} from "../support/snapshot-chain.js";
import { temporaryFolder } from "../support/temporary-folder.js";

type Chain = Exclude<keyof typeof SNAPSHOT_CHAINS, "dev">;
type Call = readonly [method: string, ...params: unknown[]];

const READERS = [rpcDebug, rpcTrace, rpcOts, logIndex];
const ENGINES = [rpcClique, rpcQbft, rpcIbft];
const ZERO = `0x${"00".repeat(32)}`;
const LISTENER = { rpcHttpEnabled: true, rpcHttpPort: 0 };
/** Stores its caller in slot 0, emits a log, and creates a contract of one byte of code. */
const CREATION = {
  data: `336000557f${"11".repeat(32)}60006000a160fe60005360016000f3`,
  gasLimit: 300_000n,
};

/** Methods that read, with their parameters; `$block`, `$hash`, `$transaction` and `$contract` are of the chain. */
const READS: readonly Call[] = [
  ["eth_blockNumber"],
  ["eth_chainId"],
  ["eth_syncing"],
  ["eth_getBlockByNumber", "$block", true],
  ["eth_getBlockByHash", "$hash", false],
  ["eth_getBlockReceipts", "$block"],
  ["eth_getTransactionByHash", "$transaction"],
  ["eth_getTransactionReceipt", "$transaction"],
  ["eth_getBalance", ALICE.address, "latest"],
  ["eth_getBalance", ALICE.address, "0x1"],
  ["eth_getTransactionCount", ALICE.address, "latest"],
  ["eth_getCode", "$contract", "latest"],
  ["eth_getStorageAt", "$contract", "0x0", "latest"],
  ["eth_getProof", BOB, [], "latest"],
  ["eth_getProof", BOB, [], "0x1"],
  ["eth_getLogs", { fromBlock: "0x0", toBlock: "latest" }],
  ["eth_call", { from: ALICE.address, to: BOB, value: "0x1" }, "latest"],
  ["eth_estimateGas", { from: ALICE.address, to: BOB, value: "0x1" }],
  ["eth_feeHistory", "0x3", "latest", [50]],
  ["eth_gasPrice"],
  ["debug_traceTransaction", "$transaction"],
  ["debug_traceBlockByNumber", "$block"],
  ["debug_accountRange", "latest", 0, ZERO, 10],
  ["debug_getRawReceipts", "$block"],
  ["trace_block", "$block"],
  ["trace_replayBlockTransactions", "$block", ["trace", "stateDiff"]],
  ["trace_transaction", "$transaction"],
  ["ots_getBlockDetails", 2],
];

const OF_ENGINE: readonly (readonly [Chain, readonly Call[]])[] = [
  ["qbft", [["qbft_getValidatorsByBlockNumber", "latest"], ["qbft_getSignerMetrics"]]],
  ["ibft2ToQbft", [["qbft_getValidatorsByBlockNumber", "latest"]]],
  ["clique", [["clique_getSigners", "latest"], ["clique_getSignerMetrics"]]],
];

/** The source whose first seal is broken is the first one: its lie is rejected, and the true source is followed. */
describe.each(OF_ENGINE)("a replica of a chain of %s", (chain, more) => {
  const folder = temporaryFolder();
  let source: Awaited<ReturnType<typeof startSource>>;
  let liar: Awaited<ReturnType<typeof startLiar>>;
  let replica: Awaited<ReturnType<typeof follow>>;

  beforeAll(async () => {
    source = await startSource(folder.path, chain);
    await source.add(transfer(), transfer({ to: BOB, value: 7n }));
    await source.add(CREATION);
    await source.add();
    await source.add();
    liar = await startLiar(source.address(), {
      records: ([line, ...lines]) => [breakSeal(line, source.node), ...lines],
    });
    replica = await follow([liar.address, source.address()], chain);
  });

  afterAll(async () => {
    for (const each of [replica, liar, source]) await each?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it("rejects a block whose seal is wrong", async () => {
    const line = await replica.logged("record 1: block 1 (");

    expect(line.startsWith(`${liar.address}: `)).toBe(true);
    expect(line).toMatch(/seal|signer|signature|author|validator|committer/i);
  });

  it("returns what its source returns", async () => {
    await replica.reached(source.head());

    for (const [method, ...params] of fill([...READS, ...more], source.node)) {
      const [theirs, ours] = await Promise.all(
        [source.node, replica].map((node) => node.rpc(method, params).catch((error) => error)),
      );
      expect({ [method]: ours }).toEqual({ [method]: theirs });
      expect({ [method]: theirs }).not.toEqual({ [method]: expect.any(Error) });
    }
    expect(problemsOf(replica)).toEqual([]);
  });
});

describe("a replica of a source whose stream begins later", () => {
  it("begins with a snapshot, and follows from its block on", async () => {
    using folder = temporaryFolder();
    const place = (name: string) => `${folder.path}/${name}`;
    const early = await startSnapshotNode(place("source"), "qbft");
    for (let block = 0; block < 3; block++) await early.add(transfer());
    await early[Symbol.asyncDispose]();
    await runSnapshot(place("source"), "create", { args: [place("snapshot")] });
    await using source = await startSource(place("source"), "qbft", { nonce: 3 });
    await source.add(transfer());
    await source.add();

    await using without = await follow([source.address()], "qbft");
    await without.logged(
      "the records that it keeps begin after block 3, and the head of this replica is block 0: restore a newer snapshot",
    );
    await using replica = await follow([source.address()], "qbft", {
      ...{ snapshot: [place("snapshot")], keyValueStorage: "leveldb", dataPath: place("replica") },
    });
    await replica.reached(source.head());

    expect(problemsOf(replica)).toEqual([]);
    expect(replica.node.blocks.stateAt(replica.head()).findAccount(BOB)?.balance).toBe(4n);
  });
});

async function startSource(dataPath: string, chain: Chain, { nonce = 0 } = {}) {
  const started = await startSnapshotNode(dataPath, chain, {
    plugins: [transportHttp, changes, ...READERS, ...ENGINES],
    options: { ...LISTENER, changesEnabled: true, dataStorageFormat: "BONSAI" },
    nonce,
  });
  const { node } = started;
  return {
    node,
    add: started.add,
    head: () => node.node.blocks.head(),
    address: () =>
      `http://127.0.0.1:${node.node.rpc.endpoints().find(({ name }) => name === "json-rpc")?.address?.port}`,
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}

function follow(sources: readonly string[], chain: Chain, options: object = {}) {
  return startReplica(
    sources,
    { dataStorageFormat: "BONSAI", ...options },
    {
      genesis: SNAPSHOT_CHAINS[chain],
      plugins: [...PLUGINS, snapshotJoin, rpcEth, ...READERS, ...ENGINES],
    },
  );
}

function problemsOf(replica: Pick<TestNode, "node">) {
  const { blocks } = replica.node;
  return [...blocks.verifyState(), ...blocks.verifyBlocks()].flatMap(({ problems }) => problems);
}

/** Replaces what a call names by what the chain has. */
function fill(calls: readonly Call[], { node: { blocks } }: TestNode): readonly Call[] {
  const block = blocks.findBlock(2n);
  const [creation] = block?.body.transactions ?? [];
  const receipt = block && blocks.findReceipts(block.header.hash)?.[0];
  const values: Readonly<Record<string, unknown>> = {
    $block: "0x2",
    $hash: block?.header.hash,
    $transaction: creation?.hash,
    $contract: receipt?.logs[0]?.address ?? OWN,
  };
  return calls.map(([method, ...params]) => [
    method,
    ...params.map((each) => (typeof each === "string" ? (values[each] ?? each) : each)),
  ]);
}

// biome-ignore lint/suspicious/noExplicitAny: lines of JSON
function breakSeal(line: any, { node: { blocks } }: TestNode): unknown {
  const { header, body } = decodeBlock(hexToBytes(line.block));
  const extraData = Uint8Array.from(header.extraData);
  // Within the last signature.
  const at = extraData.length - 20;
  extraData[at] = (extraData[at] ?? 0) ^ 1;
  const block = { header: { ...header, extraData }, body };
  const { sequence, number, ...record } = line;
  const changed = {
    ...record,
    ...{ block: toHex(encodeBlock(block)), blockHash: blocks.seal(block.header).hash },
  };
  const hash = hashOfRecord({ ...changed, sequence: BigInt(sequence), number: BigInt(number) });
  return { ...changed, sequence, number, hash };
}
