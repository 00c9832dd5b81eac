import type { SealedBlock } from "@plinth/core";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcSubscribe from "@plinth/plugin-rpc-subscribe";
import {
  connectDuplex,
  createInside,
  createTestNode,
  LOG_GENESIS,
  LOGGER,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";

const LAST = 100;
const BACK_TO = 50;

describe("a node whose head was moved back and forward again", { timeout: 60_000 }, () => {
  it("responds like one whose head never moved", async () => {
    const blocks = await makeBlocks();
    await using steady = await follow(blocks);
    await using moved = await follow(blocks);

    expect(await moved.rpc("debug_setHead", [`0x${BACK_TO.toString(16)}`])).toBe("Success");
    const gone = blocks[BACK_TO]?.body.transactions[0]?.hash;
    expect(await moved.rpc("eth_blockNumber")).toBe(`0x${BACK_TO.toString(16)}`);
    expect(
      await moved.rpc("eth_getBlockByNumber", [`0x${(BACK_TO + 1).toString(16)}`, false]),
    ).toBe(null);
    expect(await moved.rpc("eth_getTransactionReceipt", [gone])).toBeNull();
    for (const block of blocks.slice(BACK_TO)) await moved.chain.import(block, { origin: "peer" });

    expect(await answersOf(moved, blocks)).toEqual(await answersOf(steady, blocks));
    expect([...moved.chain.verifyBlocks()].flatMap(({ problems }) => problems)).toEqual([]);
    expect([...moved.chain.verifyState()].flatMap(({ problems }) => problems)).toEqual([]);
    expect(moved.pool.all()).toEqual([]);
  });

  it("notifies filters and subscribers of removed and added blocks", async () => {
    const blocks = await makeBlocks();
    await using node = await follow(blocks);
    using listener = connectDuplex(node.node);
    await listener.rpc("eth_subscribe", ["logs", {}]);
    const filter = await node.rpc("eth_newFilter", [{ fromBlock: "0x0" }]);

    await node.rpc("debug_setHead", [`0x${BACK_TO.toString(16)}`]);
    const removed = (await node.rpc("eth_getFilterChanges", [filter])) as Log[];
    for (const block of blocks.slice(BACK_TO)) await node.chain.import(block, { origin: "peer" });
    const added = (await node.rpc("eth_getFilterChanges", [filter])) as Log[];

    expect(removed).toHaveLength(LAST - BACK_TO);
    expect(removed.every((log) => log.removed)).toBe(true);
    expect(added.map((log) => log.blockNumber)).toEqual(
      blocks.slice(BACK_TO).map(({ header }) => `0x${header.number.toString(16)}`),
    );
    expect(added.every((log) => !log.removed)).toBe(true);
    const heard: boolean[] = [];
    while (heard.length < 2 * (LAST - BACK_TO)) {
      const { params } = await listener.next();
      heard.push((params as { readonly result: Log }).result.removed);
    }
    expect(heard.filter((isRemoved) => isRemoved)).toHaveLength(LAST - BACK_TO);
  });
});

interface Log {
  readonly removed: boolean;
  readonly blockNumber: string;
}

/** A hundred blocks with a log and a transfer each. */
async function makeBlocks(): Promise<readonly SealedBlock[]> {
  await using node = await createTestNode({ genesis: LOG_GENESIS });
  const log = { to: LOGGER, gasLimit: 100_000n };
  await node.mine(...Array.from({ length: LAST }, () => [log, transfer()]));
  const { blocks } = node.node;
  return Array.from({ length: LAST }, (_, index) => {
    const header = blocks.findHeader(BigInt(index + 1));
    const block = header && blocks.findBlock(header.hash);
    if (block === undefined) throw new Error("a block was not made");
    return block;
  });
}

/** A node that has those blocks and produces none. */
async function follow(blocks: readonly SealedBlock[]) {
  const inside = createInside();
  const node = await createTestNode({
    plugins: [rpcEth, rpcSubscribe, rpcDebug, inside.plugin],
    genesis: LOG_GENESIS,
  });
  await inside.runtime().production?.stop();
  const { blocks: chain, pool } = node.node;
  if (chain === undefined || pool === undefined) throw new Error("there is no chain");
  for (const block of blocks) await chain.import(block, { origin: "peer" });
  return { ...node, chain, pool, [Symbol.asyncDispose]: () => node.stop() };
}

/** Everything a caller can learn about the chain. */
async function answersOf(
  { rpc }: Awaited<ReturnType<typeof follow>>,
  blocks: readonly SealedBlock[],
) {
  const answers: unknown[] = [await rpc("eth_getLogs", [{ fromBlock: "0x0" }])];
  for (const { header, body } of blocks) {
    const number = `0x${header.number.toString(16)}`;
    answers.push(await rpc("eth_getBlockByNumber", [number, true]));
    answers.push(await rpc("eth_getBlockReceipts", [number]));
    for (const { hash } of body.transactions) {
      answers.push(await rpc("eth_getTransactionByHash", [hash]));
    }
  }
  return answers;
}
