import {
  definePlugin,
  getCrypto,
  type Hex,
  hexToBytes,
  loadCrypto,
  type Plugin,
  toHex,
} from "@plinth/core";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcQbft from "@plinth/plugin-rpc-qbft";
import {
  BOB,
  createTestNode,
  FakeClock,
  recordLogs,
  signTransaction,
  type TestNode,
} from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";

const START_SECONDS = 1_700_000_000;
const KEY: Hex = `0x${"01".padStart(64, "0")}`;

beforeAll(async () => {
  await loadCrypto();
});

describe("the genesis file of a BFT chain", () => {
  it.each(["qbft", "ibft2"] as const)(
    "delays empty blocks of %s, but not those with transactions, also from a block on",
    async (engine) => {
      const clock = new FakeClock(START_SECONDS * 1000);
      await using node = await start(engine, { emptyblockperiodseconds: 5 }, clock, {
        transitions: {
          [engine]: [
            { block: 3, emptyblockperiodseconds: 0 },
            { block: 5, emptyblockperiodseconds: 60 },
          ],
        },
      });
      const { blocks } = node.node;
      await run(clock, 20);
      expect(blocks.head().number).toBe(4n);
      await node.rpc("eth_sendRawTransaction", [await signTransaction({ to: BOB, gasPrice: 0n })]);
      await run(clock, 2);

      expect(blocks.head().number).toBe(5n);
      const times = [0n, 1n, 2n, 3n, 4n].map(
        (number) => blocks.findHeader(number)?.timestamp ?? 0n,
      );
      const gaps = times.slice(1).map((time, index) => Number(time - (times[index] ?? 0n)));
      expect(gaps).toEqual([5, 5, 1, 1]);
    },
  );

  it("prefers the new name of the empty block period to the old one", async () => {
    const clock = new FakeClock(START_SECONDS * 1000);
    const settings = { emptyblockperiodseconds: 2, xemptyblockperiodseconds: 60 };
    await using node = await start("qbft", settings, clock);
    await run(clock, 10);

    expect(node.node.blocks.head().number).toBe(5n);
  });

  it.each(["emptyblockperiodseconds", "xemptyblockperiodseconds"])(
    "keeps a chain healthy that produces no empty blocks for a while: %s",
    async (name) => {
      const clock = new FakeClock(START_SECONDS * 1000);
      await using node = await start("qbft", { [name]: 300 }, clock);
      await run(clock, 60, 1);

      expect(node.node.blocks.head().number).toBe(0n);
      expect(await node.node.health()).toMatchObject({ status: "up" });
    },
  );

  it("delays empty blocks of QBFT only with the old name: IBFT 2.0 produces them regardless", async () => {
    const clock = new FakeClock(START_SECONDS * 1000);
    await using ibft = await start("ibft2", { xemptyblockperiodseconds: 60 }, clock);
    await using qbft = await start("qbft", { xemptyblockperiodseconds: 60 }, clock);
    await run(clock, 10);

    expect(qbft.node.blocks.head().number).toBe(0n);
    expect(ibft.node.blocks.head().number).toBeGreaterThan(7n);
  });

  // The validators are stored after block 1024, which belongs to QBFT or IBFT 2.0.
  it.each([1020, 1030])(
    "takes a chain from IBFT 2.0 to QBFT at block %i, and past block 1024",
    async (startBlock) => {
      const clock = new FakeClock(START_SECONDS * 1000);
      const config = { ibft2: {}, qbft: { startBlock } };
      await using node = await start("ibft2", {}, clock, config);
      for (let second = 0; second < 1040; second++) await run(clock, 1, 1);

      expect(node.node.blocks.head().number).toBeGreaterThan(1032n);
      for (const block of ["0x3fb", "0x3fc", "latest"]) {
        expect(await node.rpc("qbft_getValidatorsByBlockNumber", [block])).toHaveLength(1);
      }
    },
    240_000,
  );

  it.each([0, 1, 4999])("starts with a gas limit of %i, and warns", async (gasLimit) => {
    const logs = recordLogs();
    await using node = await createTestNode({
      plugins: [consensusIbft, consensusQbft, rpcEth],
      logs,
      genesis: {
        config: { qbft: {} },
        difficulty: "0x1",
        gasLimit: `0x${gasLimit.toString(16)}`,
        alloc: {},
        extraData: toHex(qbftExtraData.encodeGenesis([])),
      },
    });

    expect(await node.rpc("eth_blockNumber")).toBe("0x0");
    expect(logs.entries).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: expect.stringContaining(`gasLimit is ${gasLimit}: no block can follow`),
      }),
    );
  });

  it("makes a node unhealthy whose transaction waits long, even if an empty block is not due", async () => {
    const clock = new FakeClock(START_SECONDS * 1000);
    let stopBlocks = async () => {};
    const stopping = definePlugin({
      name: "stopping",
      setup: ({ onStart }) =>
        onStart(({ production }) => {
          stopBlocks = async () => void (await production?.stop());
        }),
    });
    const settings = { emptyblockperiodseconds: 600 };
    await using node = await start("qbft", settings, clock, {}, [stopping]);
    const heads = async () =>
      (await node.node.health()).checks.filter(({ name }) => name === "head");
    await run(clock, 100, 1);
    expect(await heads()).toMatchObject([{ status: "up" }]);

    await stopBlocks();
    await node.rpc("eth_sendRawTransaction", [await signTransaction({ to: BOB, gasPrice: 0n })]);
    expect(await heads()).toMatchObject([{ status: "up" }]);
    await run(clock, 31, 1);

    expect(await heads()).toMatchObject([
      { status: "degraded", detail: expect.stringContaining("one is expected every 1 s") },
    ]);
  });

  it.each(["qbft", "ibft2"] as const)("rejects a reward of %s above 256 bits", async (engine) => {
    const clock = new FakeClock(START_SECONDS * 1000);
    const more = (2n ** 256n).toString();
    const [inSettings, inTransition] = [{ blockreward: more }, { block: 2, blockreward: more }];

    await expect(start(engine, inSettings, clock)).rejects.toThrow("at most 256 bits");
    const transitions = { [engine]: [inTransition] };
    await expect(start(engine, {}, clock, { transitions })).rejects.toThrow("at most 256 bits");
  });

  it("detects two spellings of a setting and of a transition", async () => {
    const clock = new FakeClock(START_SECONDS * 1000);
    const twice = { blockperiodseconds: 1, blockPeriodSeconds: 5 };
    const transitions = { qbft: [{ block: 2, ...twice }] };

    await expect(start("qbft", twice, clock)).rejects.toThrow("qbft.blockperiodseconds occurs");
    await expect(start("qbft", {}, clock, { transitions })).rejects.toThrow(
      "config.transitions.qbft[0].blockperiodseconds occurs more than once",
    );
  });

  describe("with unknown settings", () => {
    const genesis = (qbft: object) => ({
      config: { qbft },
      difficulty: "0x1",
      gasLimit: "0x1c9c380",
      alloc: {},
      extraData: toHex(qbftExtraData.encodeGenesis([])),
    });
    const plugins = [consensusIbft, consensusQbft];

    it("is rejected by the name of the key, with a suggestion", async () => {
      const node = createTestNode({ plugins, genesis: genesis({ perTxGasLimits: 1 }) });

      await expect(node).rejects.toThrow(
        /config\.qbft\.perTxGasLimits is unknown to this node, .* did you mean perTxGasLimit\?/,
      );
    });

    it("starts with a warning if the operator allows it", async () => {
      const logs = recordLogs();
      const options = { XunknownGenesisKeys: "ignore" };
      const file = genesis({ perTxGasLimits: 1 });
      await using _node = await createTestNode({ plugins, genesis: file, options, logs });

      expect(logs.entries).toContainEqual(
        expect.objectContaining({
          level: "warn",
          message: expect.stringContaining("config.qbft.perTxGasLimits is ignored"),
        }),
      );
    });

    it("accepts those of Besu and GoQuorum that have no effect here", async () => {
      const limits = { messageQueueLimit: 1, duplicateMessageLimit: 1, futureMessagesLimit: 1 };
      const others = { policy: 0, ceil2Nby3Block: 0, maxRequestTimeoutSeconds: 60 };
      const file = genesis({ ...limits, ...others, GOSSIPEDHISTORYLIMIT: 5 });
      await using node = await createTestNode({ plugins, genesis: file });

      expect(node.node.blocks.head().number).toBe(0n);
    });
  });

  it.each([
    ["both engines and no block to change at", { ibft2: {}, qbft: {} }, {}, "startBlock"],
    ["extra data of another engine", { qbft: {} }, { extraData: "0x" }, "extraData"],
    ["no room for messages", { ibft2: { messagequeuelimit: 0 } }, {}, "messageQueueLimit"],
    ["no extra data", { ibft2: {} }, { extraData: undefined }, "extraData"],
    [
      "a transition to no validators",
      { qbft: {}, transitions: { qbft: [{ block: 3, validators: [] }] } },
      { extraData: toHex(qbftExtraData.encodeGenesis([])) },
      "block 3",
    ],
  ])("is rejected with %s", async (_, config, genesis, problem) => {
    const extraData = toHex(ibftExtraData.encodeGenesis([]));
    const node = createTestNode({
      plugins: [consensusIbft, consensusQbft],
      genesis: {
        config,
        difficulty: "0x1",
        gasLimit: "0x1c9c380",
        alloc: {},
        extraData,
        ...genesis,
      },
    });

    await expect(node).rejects.toThrow(problem);
  });
});

/** A node that is the only validator. */
function start(
  engine: "ibft2" | "qbft",
  settings: object,
  clock: FakeClock,
  more: object = {},
  plugins: readonly Plugin[] = [],
): Promise<TestNode> {
  const codec = engine === "qbft" ? qbftExtraData : ibftExtraData;
  const self = getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(KEY)));
  return createTestNode({
    plugins: [consensusIbft, consensusQbft, rpcQbft, rpcEth, ...plugins],
    key: KEY,
    clock,
    options: { minGasPrice: "0" },
    genesis: {
      config: { chainId: 1337, londonBlock: 0, zeroBaseFee: true, [engine]: settings, ...more },
      difficulty: "0x1",
      gasLimit: "0x1c9c380",
      timestamp: `0x${START_SECONDS.toString(16)}`,
      extraData: toHex(codec.encodeGenesis([self])),
      alloc: {},
    },
  });
}

async function run(clock: FakeClock, seconds: number, steps = 10): Promise<void> {
  for (let step = 0; step < seconds * steps; step++) {
    await clock.advance(1000 / steps);
    for (let turn = 0; turn < 15; turn++) await new Promise((done) => setImmediate(done));
  }
}
