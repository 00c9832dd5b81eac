import { type Hash, hexToBytes, type RpcClient } from "@plinth/core";
import { COMPATIBILITIES } from "@plinth/core/rpc";
import { createInside, createTestNode, devChain, LOG_GENESIS, signLog } from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";
import { ChainNews } from "./chain-news.js";
import { logs } from "./logs.js";
import { newHeads } from "./new-heads.js";
import { Subscriptions } from "./subscriptions.js";

const X: Hash = `0x${"01".repeat(32)}`;
const EVERYTHING = {
  criteria: { addresses: [], topics: [] },
  fromBlock: "latest",
  toBlock: "latest",
  blockHash: undefined,
} as const;

/** A chain with two blocks, as if the second had replaced the first. */
async function startChain() {
  const inside = createInside();
  const node = await createTestNode({
    plugins: [inside.plugin, ...devChain],
    genesis: LOG_GENESIS,
  });
  const { pool, chain, tasks } = inside.runtime();
  const { blocks } = chain;
  for (const nonce of [0, 1]) {
    await pool.submit(hexToBytes(await signLog(nonce, [X, X])));
    while (blocks.head().number <= nonce) await turn();
  }
  const blockAt = (number: bigint) => {
    const block = blocks.findBlock(blocks.findHeader(number)?.hash ?? "0x");
    if (block === undefined) throw new Error(`no block ${number}`);
    return block;
  };
  const change = { removed: [blockAt(1n)], added: [blockAt(2n)] };
  const compatibility = COMPATIBILITIES.plinth;
  return { blocks, compatibility, tasks, change, [Symbol.asyncDispose]: () => node.stop() };
}

describe("a reorganization", () => {
  it("is sent as the removed logs and then the new ones, and only heads that joined", async () => {
    await using chain = await startChain();
    const news = new ChainNews(chain, chain.change);

    expect([...(logs(EVERYTHING).ofChain?.(news) ?? [])]).toMatchObject([
      { blockNumber: "0x1", removed: true },
      { blockNumber: "0x2", removed: false },
    ]);
    expect(newHeads({ includeTransactions: false }).ofChain?.(news)).toMatchObject([
      { number: "0x2" },
    ]);
  });
});

describe("many subscribers", () => {
  it("are notified in a later turn, and blocks are read once for all of them", async () => {
    await using chain = await startChain();
    const subscriptions = new Subscriptions();
    subscriptions.open(chain, chain.tasks);
    const reads = vi.spyOn(chain.blocks, "findReceipts");
    const notified: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      subscriptions
        .add(
          logs(EVERYTHING),
          clientOf(() => notified.push(count)),
        )
        .begin();
    }

    subscriptions.headChanged({ removed: [], added: chain.change.added });

    expect(notified).toEqual([]);
    await turn();
    await turn();
    expect(notified).toEqual([0, 1, 2]);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it("that subscribe after an event are not notified of it", async () => {
    await using chain = await startChain();
    const subscriptions = new Subscriptions();
    subscriptions.open(chain, chain.tasks);
    const notified: string[] = [];
    subscriptions
      .add(
        logs(EVERYTHING),
        clientOf(() => notified.push("early")),
      )
      .begin();
    const late = subscriptions.add(
      logs(EVERYTHING),
      clientOf(() => notified.push("late")),
    );

    subscriptions.headChanged(chain.change);
    late.begin();
    await turn();
    await turn();

    expect(notified).toEqual(["early", "early"]);
  });
});

function clientOf(notify: () => void): RpcClient {
  return { closed: new AbortController().signal, notify } as unknown as RpcClient;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
