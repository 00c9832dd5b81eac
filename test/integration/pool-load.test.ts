import { type Hash, loadCrypto, RejectedTransaction } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import {
  aTransfer,
  type PoolNode,
  poolGenesis,
  senderOf,
  startPoolNode,
} from "../support/pool-node.js";

const GWEI = 1_000_000_000n;
/** `npm run long -- pool` sends 20,000, and floods with 50,000. */
const LOAD = Number(process.env.PLINTH_POOL_LOAD ?? 1_000);
const SENDERS = LOAD / 10;
const FLOOD = Number(process.env.PLINTH_POOL_FLOOD ?? 2_000);
const FLOODERS = FLOOD / 10;

beforeAll(async () => void (await loadCrypto()));

async function sendAll(node: PoolNode, count: number, senders: number): Promise<readonly Hash[]> {
  const hashes: Hash[] = [];
  for (let index = 0; index < count; index++) {
    const sender = senderOf(index % senders);
    const nonce = BigInt(Math.floor(index / senders));
    const { hash } = await node.pool.submit(aTransfer({ nonce }, sender), { sender });
    hashes.push(hash);
  }
  return hashes;
}

const statesOf = ({ pool }: PoolNode, hashes: readonly Hash[]) => {
  const states: Record<string, number> = {};
  for (const hash of hashes) {
    const { state } = pool.explain(hash);
    states[state] = (states[state] ?? 0) + 1;
  }
  return states;
};

const ROOM = { txPoolMaxFutureBySender: 20_000, txPoolLayerMaxCapacity: 50_000_000 };

describe(`${LOAD} pending transactions`, () => {
  it.each([
    ["one sender", 1],
    [`${SENDERS} senders`, SENDERS],
  ])(
    "of %s are all mined, whatever block they fit into",
    async (_, senders) => {
      const node = await startPoolNode({ genesis: poolGenesis(senders), options: ROOM });
      const hashes = await sendAll(node, LOAD, senders);
      expect(node.pool.all()).toHaveLength(LOAD);

      let blocks = 0;
      while (node.host.hasTransactions()) {
        await node.mine();
        blocks += 1;
      }

      expect(statesOf(node, hashes)).toEqual({ mined: LOAD });
      // 1,428 transfers fit into a block.
      expect(blocks).toBe(Math.ceil(LOAD / 1_428));
      await node.stop();
    },
    180_000,
  );

  it("are rejected or dropped with a reason by a full pool", async () => {
    const options = { txPool: "SEQUENCED", txPoolMaxSize: 500, txPoolLimitByAccountPercentage: 1 };
    const node = await startPoolNode({ genesis: poolGenesis(400), options });
    const hashes: Hash[] = [];
    const refused: Record<string, number> = {};
    for (let index = 0; index < 4_000; index++) {
      const sender = senderOf(index % 400);
      const fields = { nonce: BigInt(Math.floor(index / 400)), gasPrice: GWEI + BigInt(index) };
      try {
        hashes.push((await node.pool.submit(aTransfer(fields, sender), { sender })).hash);
      } catch (error) {
        if (!(error instanceof RejectedTransaction)) throw error;
        refused[error.reason] = (refused[error.reason] ?? 0) + 1;
      }
    }
    expect(node.pool.all()).toHaveLength(500);
    while (node.host.hasTransactions()) await node.mine();

    const states = statesOf(node, hashes);
    const { mined = 0, dropped = 0, "waiting-for-nonce": waiting = 0 } = states;
    expect(mined + dropped + waiting).toBe(hashes.length);
    expect(mined).toBeGreaterThanOrEqual(400);
    expect(Object.keys(refused)).toEqual(["pool-full"]);
    expect(hashes.length + (refused["pool-full"] ?? 0)).toBe(4_000);
    await node.stop();
  }, 60_000);
});

describe(`a flood of ${FLOOD} transactions with future nonces`, () => {
  it("is held or rejected, stays within its byte limit, and delays no caller", async () => {
    const room = FLOOD * 250;
    const node = await startPoolNode({
      genesis: poolGenesis(FLOODERS + 1),
      options: { txPoolLayerMaxCapacity: room },
    });
    const honest = senderOf(FLOODERS);
    const outcomes: Record<string, number> = {};
    const mined: Hash[] = [];
    for (let index = 0; index < FLOOD; index++) {
      const sender = senderOf(index % FLOODERS);
      const nonce = BigInt(1 + Math.floor(index / FLOODERS));
      const outcome = await node.pool
        .submit(aTransfer({ nonce, gasPrice: 50n * GWEI }, sender), { sender })
        .then(
          () => "held",
          (error) => {
            if (!(error instanceof RejectedTransaction)) throw error;
            return error.reason;
          },
        );
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if ((index + 1) % FLOODERS === 0) {
        const cheap = { nonce: BigInt(mined.length), gasPrice: 8n };
        const { hash } = await node.pool.submit(aTransfer(cheap, honest), { sender: honest });
        await node.mine();
        mined.push(hash);
        expect(node.pool.explain(hash)).toMatchObject({ state: "mined" });
      }
    }
    const bytes = node.pool
      .entries()
      .reduce((sum, entry) => sum + 1024 + entry.networkForm.length, 0);

    expect(bytes).toBeLessThanOrEqual(room);
    expect(outcomes.held).toBeGreaterThan(FLOOD / 5);
    expect(outcomes["pool-full"]).toBeGreaterThan(FLOOD / 2);
    expect(Object.keys(outcomes).sort()).toEqual(["held", "pool-full"]);
    await node.stop();
  }, 180_000);
});

/** Nothing is timed where other tests run as well. */
const isTimed = process.env.PLINTH_POOL_LOAD !== undefined;

describe.runIf(isTimed)("the cost of building", () => {
  /** A node whose blocks contain this many transfers, with this many pending. */
  async function startBuilder({ waiting, size }: { waiting: number; size: number }) {
    const senders = 500;
    const gasLimit = `0x${(21_000 * size).toString(16)}`;
    const genesis = { ...poolGenesis(senders), gasLimit, baseFeePerGas: "0x0" };
    const node = await startPoolNode({ genesis, options: ROOM });
    await sendAll(node, waiting, senders);
    return { node, size };
  }

  type Builder = Awaited<ReturnType<typeof startBuilder>>;

  /** CPU milliseconds of this process for this many blocks; other processes are not counted. */
  async function timeBlocks({ node, size }: Builder, count: number): Promise<number> {
    const begin = process.cpuUsage();
    for (let built = 0; built < count; built++) {
      const { block } = await node.host.build({ timestamp: node.blocks.head().timestamp + 1n });
      expect(block.body.transactions).toHaveLength(size);
    }
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  }

  /**
   * The minimum time of this many blocks of each, in turns, so that both have the same conditions.
   */
  async function compare(one: Builder, other: Builder, counts: readonly [number, number]) {
    const times = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
    for (let round = 0; round < 8; round++) {
      times[0] = Math.min(times[0], await timeBlocks(one, counts[0]));
      times[1] = Math.min(times[1], await timeBlocks(other, counts[1]));
    }
    await one.node.stop();
    await other.node.stop();
    return times;
  }

  it("is linear: 1,000 transactions at most 12 times 100", async () => {
    const hundred = await startBuilder({ waiting: 1_000, size: 100 });
    const thousand = await startBuilder({ waiting: 1_000, size: 1_000 });

    const [tenOfHundred, oneOfThousand] = await compare(hundred, thousand, [10, 1]);

    expect(oneOfThousand).toBeLessThan(1.2 * tenOfHundred);
  }, 60_000);

  it("hardly depends on the number of pending ones: from 20,000 at most twice as long as from 1,000", async () => {
    const few = await startBuilder({ waiting: 1_000, size: 100 });
    const many = await startBuilder({ waiting: 20_000, size: 100 });

    const [fromFew, fromMany] = await compare(few, many, [5, 5]);

    expect(fromMany).toBeLessThan(2 * fromFew);
  }, 120_000);
});
