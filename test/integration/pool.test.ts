import { type Address, type BuildVerdict, definePlugin, type Hash, loadCrypto } from "@plinth/core";
import { FakeClock } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import {
  aTransfer,
  createLastingStore,
  type PoolNode,
  type PoolNodeSettings,
  poolGenesis,
  senderOf,
  startPoolNode,
} from "../support/pool-node.js";

const [ANN, BOB] = [senderOf(0), senderOf(1)];
const GWEI = 1_000_000_000n;

beforeAll(async () => void (await loadCrypto()));

async function withNode<T>(settings: PoolNodeSettings, work: (node: PoolNode) => Promise<T>) {
  const node = await startPoolNode(settings);
  try {
    return await work(node);
  } finally {
    await node.stop();
  }
}

const send = ({ pool }: PoolNode, fields: Parameters<typeof aTransfer>[0], sender: Address = ANN) =>
  pool.submit(aTransfer(fields, sender), { sender });

const stateOf = ({ pool }: PoolNode, hash: Hash) => pool.explain(hash);

describe("a pool over a restart", () => {
  it("has the pending transactions, and the departures with their reasons", async () => {
    const store = await createLastingStore();
    const [ready, future, old, better] = await withNode({ store }, async (node) => [
      (await send(node, { nonce: 0n })).hash,
      (await send(node, { nonce: 7n })).hash,
      (await send(node, { nonce: 0n }, BOB)).hash,
      (await send(node, { nonce: 0n, gasPrice: 2n * GWEI }, BOB)).hash,
    ]);

    await withNode({ store }, async (node) => {
      expect(node.pool.entries()).toMatchObject([
        { transaction: { hash: ready, sender: ANN }, origin: "local", isReady: true },
        { transaction: { hash: future }, isReady: false },
        { transaction: { hash: better, sender: BOB }, isReady: true },
      ]);
      expect(stateOf(node, old)).toMatchObject({
        state: "dropped",
        reason: "replaced",
        by: better,
      });
      await node.mine();
      expect(stateOf(node, ready)).toMatchObject({ state: "mined", blockNumber: 1n });
    });
    await withNode({ store }, async (node) => {
      expect(node.pool.all().map(({ hash }) => hash)).toEqual([future]);
      expect(stateOf(node, better)).toMatchObject({ state: "mined", blockNumber: 1n });
    });
  });

  it("reports that the nonce of a transaction mined elsewhere is used", async () => {
    const store = await createLastingStore();
    await withNode({ store }, async (node) => {
      const loser = await send(node, { nonce: 0n });
      const [winner] = [aTransfer({ nonce: 0n, value: 5n }, ANN)];
      const other = await withNode({}, (elsewhere) =>
        elsewhere.pool.submit(winner, { sender: ANN }),
      );
      await node.extend(node.blocks.head(), [other]);

      expect(stateOf(node, loser.hash)).toMatchObject({
        state: "dropped",
        reason: "nonce-used",
        by: other.hash,
      });
    });
  });
});

describe("a pending transaction", () => {
  it("with a missing nonce continues when the gap is filled an hour later", async () => {
    const clock = new FakeClock(1_700_000_000_000);
    await withNode({ clock }, async (node) => {
      const later = await send(node, { nonce: 1n });
      expect(stateOf(node, later.hash)).toMatchObject({ state: "waiting-for-nonce", nonce: 0n });

      await clock.advance(3_600_000);
      const first = await send(node, { nonce: 0n });
      expect(stateOf(node, later.hash)).toMatchObject({ state: "ready" });
      await node.mine();

      expect(stateOf(node, first.hash)).toMatchObject({ state: "mined" });
      expect(stateOf(node, later.hash)).toMatchObject({ state: "mined" });
    });
  });

  it("above the maximum age is dropped with the reason", async () => {
    const clock = new FakeClock(1_700_000_000_000);
    const options = { txPool: "SEQUENCED", txPoolRetentionHours: 1 };
    await withNode({ clock, options }, async (node) => {
      const waiting = await send(node, { nonce: 1n });
      await clock.advance(3_600_001);
      await node.mine();

      expect(stateOf(node, waiting.hash)).toMatchObject({ state: "dropped", reason: "expired" });
    });
  });

  it("with a low price, insufficient funds or an earlier nonce has the reason", async () => {
    const genesis = { ...poolGenesis(2), baseFeePerGas: "0x3b9aca00" };
    await withNode({ genesis }, async (node) => {
      const cheap = await send(node, { nonce: 0n, gasPrice: 7n });
      const behind = await send(node, { nonce: 1n });
      const rich = node.blocks.stateAt(node.blocks.head()).findAccount(BOB)?.balance ?? 0n;
      const all = { nonce: 0n, value: rich - 21_000n * 2n * GWEI, gasPrice: 2n * GWEI };
      await send(node, all, BOB);
      const broke = await send(node, { nonce: 1n, gasPrice: 2n * GWEI }, BOB);

      expect(stateOf(node, cheap.hash)).toMatchObject({
        state: "underpriced",
        price: "base-fee",
        offered: 7n,
        needed: 875_000_000n,
      });
      expect(stateOf(node, behind.hash)).toMatchObject({ state: "held-up", by: cheap.hash });
      await node.mine();
      expect(stateOf(node, broke.hash)).toMatchObject({ state: "unfunded" });
      expect(node.pool.find(broke.hash)).toBeDefined();
    });
  });

  it("that the node has never seen is unknown", async () => {
    await withNode({}, async (node) => {
      expect(stateOf(node, `0x${"ab".repeat(32)}`)).toMatchObject({ state: "unknown" });
    });
  });
});

describe("on a chain with free gas", () => {
  it.each([
    ["by its base fee", { ...poolGenesis(2), baseFeePerGas: "0x0" }, {}],
    ["by its rules", poolGenesis(2, { zeroBaseFee: true }), {}],
    [
      "by its rules, without priority",
      poolGenesis(2, { zeroBaseFee: true }),
      { txPoolNoLocalPriority: true },
    ],
  ])("a transaction of price 0 can be replaced by another: %s", async (_, genesis, options) => {
    await withNode({ genesis, options }, async (node) => {
      const stuck = await send(node, { nonce: 0n, gasPrice: 0n });
      const instead = await send(node, { nonce: 0n, gasPrice: 0n, value: 1n });
      await node.mine();

      expect(stateOf(node, stuck.hash)).toMatchObject({ state: "dropped", by: instead.hash });
      expect(stateOf(node, instead.hash)).toMatchObject({ state: "mined" });
    });
  });
});

describe("a reorganization", () => {
  it("of depth 5 returns what the new branch does not contain, in any order of blocks", async () => {
    await withNode({}, async (node) => {
      const genesis = node.blocks.head();
      const sent = [];
      for (let nonce = 0n; nonce < 5n; nonce++) {
        sent.push(await send(node, { nonce }), await send(node, { nonce }, BOB));
        await node.mine();
      }
      expect(node.pool.all()).toEqual([]);
      const moved = sent.filter(({ sender }) => sender === ANN);

      let tip = genesis;
      for (let block = 0; block < 6; block++)
        tip = await node.extend(tip, block === 3 ? moved : []);

      expect(node.blocks.head().hash).toBe(tip.hash);
      for (const { hash } of moved) expect(stateOf(node, hash)).toMatchObject({ state: "mined" });
      expect(node.pool.all()).toEqual(sent.filter(({ sender }) => sender === BOB));
      await node.mine();
      expect(node.pool.all()).toEqual([]);
    });
  });

  it("that the pool missed before the process ended is caught up", async () => {
    const store = await createLastingStore();
    let isDead = false;
    // The pool's record is no longer written once the process is about to die.
    const dying = {
      ...store,
      table: (name: string) => store.table(name),
      snapshot: () => store.snapshot(),
      close: async () => {},
      batch: () => {
        const batch = store.batch();
        let isBlock = false;
        return {
          put(table: string, key: Uint8Array, value: Uint8Array) {
            isBlock ||= table === "headers";
            batch.put(table, key, value);
          },
          delete: (table: string, key: Uint8Array) => batch.delete(table, key),
          commit: async () => {
            if (!isDead || isBlock) await batch.commit();
          },
        };
      },
    };
    const sent = await withNode({ store: dying }, async (node) => {
      const genesis = node.blocks.head();
      const transaction = await send(node, { nonce: 0n });
      await node.mine();
      isDead = true;
      await node.extend(await node.extend(genesis, []), []);
      return transaction;
    });

    await withNode({ store }, async (node) => {
      expect(node.blocks.head().number).toBe(2n);
      expect(stateOf(node, sent.hash)).toMatchObject({ state: "ready" });
    });
  });
});

describe("a rewind by the operator", () => {
  it("returns nothing, not even over a restart, and keeps pending transactions", async () => {
    const store = await createLastingStore();
    const waiting = await withNode({ store }, async (node) => {
      const genesis = node.blocks.head();
      await send(node, { nonce: 0n });
      await node.mine();
      const transaction = await send(node, { nonce: 7n }, BOB);

      await node.blocks.setHead(genesis.hash);

      expect(node.pool.all()).toEqual([transaction]);
      return transaction;
    });

    await withNode({ store }, async (node) => {
      expect(node.blocks.head().number).toBe(0n);
      expect(node.pool.all().map(({ hash }) => hash)).toEqual([waiting.hash]);
    });
  });
});

describe("hooks of the pool and of building", () => {
  it("report what was added and what was dropped, with the reason", async () => {
    const heard: unknown[] = [];
    const listener = definePlugin({
      name: "listener",
      setup({ hooks }) {
        hooks.pool.added.tap(({ transaction, origin }) => heard.push([transaction.hash, origin]));
        hooks.pool.dropped.tap(({ transaction, reason }) =>
          heard.push([transaction.hash, reason.kind]),
        );
      },
    });
    await withNode({ plugins: [listener] }, async (node) => {
      const old = await send(node, { nonce: 1n });
      const better = await send(node, { nonce: 1n, gasPrice: 2n * GWEI });
      await node.pool.remove(better.hash);

      expect(heard).toEqual([
        [old.hash, "local"],
        [old.hash, "replaced"],
        [better.hash, "local"],
        [better.hash, "removed"],
      ]);
    });
  });

  const deciding = (decide: (sender: Address) => BuildVerdict | undefined) =>
    definePlugin({
      name: "deciding",
      setup: ({ hooks }) =>
        hooks.build.transaction.tap(({ candidate }) => decide(candidate.sender)),
    });

  it.each<[BuildVerdict, string, string]>([
    ["skip", "ready", "mined"],
    ["drop", "dropped", "mined"],
    ["stop", "ready", "ready"],
  ])("exclude a transaction from a block: %s", async (verdict, first, second) => {
    const plugin = deciding((sender) => (sender === ANN ? verdict : undefined));
    await withNode({ plugins: [plugin] }, async (node) => {
      const [ann, bob] = [await send(node, { nonce: 0n }), await send(node, { nonce: 0n }, BOB)];
      await node.mine();

      expect(stateOf(node, ann.hash)).toMatchObject({ state: first });
      expect(stateOf(node, bob.hash)).toMatchObject({ state: second });
    });
  });

  it("permanently exclude what fails too often", async () => {
    const plugin = deciding(() => "skip");
    await withNode({ plugins: [plugin], options: { txPoolMinScore: -2 } }, async (node) => {
      const { hash } = await send(node, { nonce: 0n });
      for (const _ of [1, 2]) await node.mine();
      expect(stateOf(node, hash)).toMatchObject({ state: "ready" });
      await node.mine();

      expect(stateOf(node, hash)).toMatchObject({
        state: "dropped",
        reason: "invalid",
        message: "a plugin deferred it to another block",
      });
    });
  });

  it("modify the header, and are notified of the block", async () => {
    const sealed: Hash[] = [];
    const coinbase: Address = `0x${"cb".repeat(20)}`;
    const plugin = definePlugin({
      name: "refining",
      setup({ hooks }) {
        hooks.build.header.tap((draft) => ({ ...draft, coinbase }));
        hooks.consensus.sealed.tap(({ block }) => void sealed.push(block.header.hash));
      },
    });
    await withNode({ plugins: [plugin] }, async (node) => {
      const header = await node.mine();

      expect(header.coinbase).toBe(coinbase);
      expect(sealed).toEqual([header.hash]);
    });
  });
});

describe("building a block", () => {
  it("leaves what does not fit for the next one, and what follows it too", async () => {
    await withNode({ genesis: { ...poolGenesis(2), gasLimit: "0x186a0" } }, async (node) => {
      const large = await send(node, { nonce: 0n, gasLimit: 90_000n, gasPrice: GWEI });
      const after = await send(node, { nonce: 1n, gasPrice: GWEI });
      const other = await send(node, { nonce: 0n, gasPrice: 2n * GWEI }, BOB);
      const { hash } = await node.mine();

      expect(node.blocks.findBlock(hash)?.body.transactions).toEqual([other]);
      await node.mine();
      expect(stateOf(node, large.hash)).toMatchObject({ state: "mined", blockNumber: 2n });
      expect(stateOf(node, after.hash)).toMatchObject({ state: "mined", blockNumber: 2n });
    });
  });

  it.each([
    ["in milliseconds", { blockTxsSelectionMaxTime: 250 }, undefined],
    ["as a share of the period", { poaBlockTxsSelectionMaxTime: 25 }, 1_000],
  ])("keeps its time and produces a partial block: %s", async (_, options, periodMs) => {
    const clock = new FakeClock(1_700_000_000_000);
    const slow = definePlugin({
      name: "slow",
      setup: ({ hooks }) =>
        hooks.build.transaction.tap(() => clock.advance(100).then(() => undefined)),
    });
    const settings = { clock, options, plugins: [slow], ...(periodMs && { periodMs }) };
    await withNode(settings, async (node) => {
      for (let nonce = 0n; nonce < 5n; nonce++) await send(node, { nonce });
      const { hash } = await node.mine();

      expect(node.blocks.findBlock(hash)?.body.transactions).toHaveLength(3);
      expect(node.pool.all()).toHaveLength(2);
    });
  });

  it.each([
    [40_000_000, 30_029_295n],
    [30_010_000, 30_010_000n],
    [5_000, 29_970_705n],
  ])("moves the gas limit towards %i", async (targetGasLimit, next) => {
    await withNode({ options: { targetGasLimit } }, async (node) => {
      expect((await node.mine()).gasLimit).toBe(next);
    });
  });

  it("accepts those of peers only above the minimum, and local ones always", async () => {
    await withNode({ options: { minGasPrice: 5_000n } }, async (node) => {
      const remote = await node.pool.submit(aTransfer({ gasPrice: 4_999n }, ANN), {
        sender: ANN,
        origin: "remote",
      });
      const local = await send(node, { gasPrice: 4_999n }, BOB);
      await node.mine();

      expect(stateOf(node, remote.hash)).toMatchObject({
        state: "underpriced",
        price: "min-gas-price",
        offered: 4_999n,
        needed: 5_000n,
      });
      expect(stateOf(node, local.hash)).toMatchObject({ state: "mined" });
    });
  });
});

describe("a block proposed by another", () => {
  it("is executed once, and committed as executed", async () => {
    let runs = 0;
    const counting = definePlugin({
      name: "counting",
      setup: ({ hooks }) =>
        hooks.chain.executed.tap(() => {
          runs += 1;
        }),
    });
    await withNode({}, async (proposer) => {
      const { hash } = await send(proposer, { nonce: 0n });
      const { block } = await proposer.host.build({ timestamp: 12n });
      await withNode({ plugins: [counting] }, async (validator) => {
        await send(validator, { nonce: 0n });
        const executed = await validator.host.execute(block);
        expect(validator.blocks.head().number).toBe(0n);

        const { number } = await validator.host.submit(executed);

        expect([number, runs]).toEqual([1n, 1]);
        expect(stateOf(validator, hash)).toMatchObject({ state: "mined" });
        expect(validator.pool.all()).toEqual([]);
      });
    });
  });

  it("is rejected if its result does not match, and nothing is stored", async () => {
    await withNode({}, async (node) => {
      const { block } = await node.host.build({ timestamp: 12n });
      const header = { ...block.header, gasUsed: 1n };

      await expect(node.host.execute({ ...block, header })).rejects.toMatchObject({
        rule: "gas-used",
      });
      await expect(node.host.submit({ block })).rejects.toThrow("built or executed here");
      expect(node.blocks.head().number).toBe(0n);
    });
  });
});

describe("options of the pool", () => {
  const start = (options: Record<string, unknown>, settings: PoolNodeSettings = {}) =>
    withNode({ options, ...settings }, async () => {});

  it.each<[Record<string, unknown>, PoolNodeSettings, string]>([
    [
      { txPoolMaxSize: 5 },
      {},
      "Could not use legacy or sequenced transaction pool options with layered implementation [--tx-pool-max-size]",
    ],
    [
      { txPool: "LEGACY", txPoolMaxPrioritized: 5, txPoolMinScore: 1 },
      {},
      "Could not use layered transaction pool options with legacy or sequenced implementation [--tx-pool-max-prioritized, --tx-pool-min-score]",
    ],
    [
      { txPoolPriceBump: 5 },
      { genesis: poolGenesis(1, { zeroBaseFee: true }) },
      "Price bump option is not compatible with zero base fee market",
    ],
    [
      { txPoolMinGasPrice: 2_000 },
      {},
      "tx-pool-min-gas-price cannot be greater than the value of min-gas-price",
    ],
    [
      { blockTxsSelectionMaxTime: 5 },
      { periodMs: 1_000 },
      "--block-txs-selection-max-time can't be used with PoA networks, see --poa-block-txs-selection-max-time instead",
    ],
    [
      { poaBlockTxsSelectionMaxTime: 5 },
      {},
      "--poa-block-txs-selection-max-time can't be used with networks that are not PoA, see --block-txs-selection-max-time instead",
    ],
  ])("that contradict each other are rejected: %j", async (options, settings, message) => {
    await expect(start(options, settings)).rejects.toThrow(message);
  });

  it.each([
    [{}, undefined],
    [{ txPool: "sequenced" }, 4096],
    [{ txPool: "LEGACY", txPoolMaxSize: 10 }, 10],
  ])("determine how much it holds: %j", async (options, maxSize) => {
    await withNode({ options }, async ({ pool }) => expect(pool.maxSize).toBe(maxSize));
  });

  it("give some senders priority", async () => {
    const options = { txPoolNoLocalPriority: true, txPoolPrioritySenders: [BOB] };
    await withNode({ options: { ...options, txPoolMaxPrioritized: 1 } }, async (node) => {
      await send(node, { gasPrice: 9n * GWEI });
      const first = await send(node, { gasPrice: 8n }, BOB);
      await node.mine();

      expect(stateOf(node, first.hash)).toMatchObject({ state: "mined" });
      expect(node.pool.all()).toHaveLength(1);
    });
  });
});
