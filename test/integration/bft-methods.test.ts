import { type Address, getCrypto, type Hex, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import rpcIbft from "@plinth/plugin-rpc-ibft";
import rpcQbft from "@plinth/plugin-rpc-qbft";
import { createTestNode, FakeClock } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";

const START_MS = 1_700_000_000_000;
const KEY: Hex = `0x${"01".repeat(32)}`;
const OTHER: Address = `0x${"ef".repeat(20)}`;
const UNKNOWN = `0x${"12".repeat(32)}`;
const ZERO: Address = `0x${"00".repeat(20)}`;
/** A contract whose `getValidators()` returns the address in its storage. */
const CONTRACT: Address = `0x${"77".repeat(20)}`;
/** The engines by their namespaces. */
const ENGINES = {
  qbft: { key: "qbft", codec: qbftExtraData, plugins: [consensusQbft, rpcQbft] },
  ibft: { key: "ibft2", codec: ibftExtraData, plugins: [consensusIbft, rpcIbft] },
} as const;
let own: Address;

beforeAll(async () => {
  await loadCrypto();
  own = getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(KEY)));
});

describe.each(["qbft", "ibft"] as const)("%s", (namespace) => {
  describe("the validators of a chain", () => {
    it("are returned for a number, a tag and a hash", async () => {
      await using chain = await startChain(namespace);
      await chain.rpc(`${namespace}_proposeValidatorVote`, [OTHER, true]);
      await chain.makeBlocks(1);
      const { hash } = chain.node.blocks.head();

      // The vote of block 1 takes effect for block 2, which needs the second validator and is never
      // produced.
      expect(await chain.rpc(`${namespace}_getValidatorsByBlockNumber`, ["latest"])).toEqual([own]);
      expect(await chain.rpc(`${namespace}_getValidatorsByBlockNumber`, ["0x1"])).toEqual([own]);
      expect(await chain.rpc(`${namespace}_getValidatorsByBlockNumber`, ["0"])).toEqual([own]);
      expect(await chain.rpc(`${namespace}_getValidatorsByBlockNumber`, ["earliest"])).toEqual([
        own,
      ]);
      expect(await chain.rpc(`${namespace}_getValidatorsByBlockNumber`, ["finalized"])).toEqual([
        own,
      ]);
      expect(await chain.rpc(`${namespace}_getValidatorsByBlockHash`, [hash])).toEqual([own]);
      expect(await chain.rpc(`${namespace}_getValidatorsByBlockNumber`, ["pending"])).toEqual(
        [own, OTHER].sort(),
      );
      expect(await chain.rpc(`${namespace}_getValidatorsByBlockNumber`, ["0x99"])).toBeNull();
      expect(await chain.rpc(`${namespace}_getValidatorsByBlockHash`, [UNKNOWN])).toBeNull();
    });

    it("have no safe and no final block in mode besu", async () => {
      await using chain = await startChain(namespace, { mode: "besu" });

      for (const tag of ["safe", "finalized"]) {
        await expect(
          chain.rpc(`${namespace}_getValidatorsByBlockNumber`, [tag]),
        ).rejects.toMatchObject({
          code: -39001,
          message: "Unknown block",
        });
      }
    });
  });

  describe("votes", () => {
    it("are listed, replaced, discarded, and survive a restart", async () => {
      await using chain = await startChain(namespace);
      expect(await chain.rpc(`${namespace}_proposeValidatorVote`, [OTHER, true])).toBe(true);
      expect(await chain.rpc(`${namespace}_proposeValidatorVote`, [ZERO, "false"])).toBe(true);
      await chain.restart();

      expect(await chain.rpc(`${namespace}_getPendingVotes`)).toEqual({
        [OTHER]: true,
        [ZERO]: false,
      });
      expect(await chain.rpc(`${namespace}_proposeValidatorVote`, [OTHER, false])).toBe(true);
      expect(await chain.rpc(`${namespace}_getPendingVotes`)).toEqual({
        [OTHER]: false,
        [ZERO]: false,
      });
      expect(await chain.rpc(`${namespace}_discardValidatorVote`, [OTHER])).toBe(true);
      expect(await chain.rpc(`${namespace}_discardValidatorVote`, [OTHER])).toBe(false);
      expect(await chain.rpc(`${namespace}_getPendingVotes`)).toEqual({ [ZERO]: false });
    });

    it("are always reported as discarded in mode besu", async () => {
      await using chain = await startChain(namespace, { mode: "besu" });

      expect(await chain.rpc(`${namespace}_discardValidatorVote`, [OTHER])).toBe(true);
    });
  });

  describe("the metrics of validators", () => {
    it("cover the range inclusively, and the head, and genesis alone", async () => {
      await using chain = await startChain(namespace);
      expect(await chain.rpc(`${namespace}_getSignerMetrics`)).toEqual(
        expect.arrayContaining([entry(ZERO, 1, 0), entry(own, 0, 0)]),
      );
      await chain.makeBlocks(3);

      expect(await chain.rpc(`${namespace}_getSignerMetrics`)).toEqual([
        entry(ZERO, 1, 0),
        entry(own, 3, 3),
      ]);
      expect(await chain.rpc(`${namespace}_getSignerMetrics`, ["0x2"])).toEqual([entry(own, 2, 3)]);
      expect(await chain.rpc(`${namespace}_getSignerMetrics`, ["0x1", "0xffff"])).toEqual([
        entry(own, 3, 3),
      ]);
    });
  });

  describe("invalid queries", () => {
    const BLOCK = "Invalid block, unable to parse RLP";
    const HASH = "Invalid block hash params";
    const ADDRESS = "Invalid address params";
    const VOTE = "Invalid vote type params";
    const NUMBER = "Invalid block number params";

    it.each<[string, readonly unknown[], string]>([
      ["getValidatorsByBlockNumber", [], BLOCK],
      ["getValidatorsByBlockNumber", ["foo"], BLOCK],
      ["getValidatorsByBlockNumber", [{}], BLOCK],
      ["getValidatorsByBlockHash", [], HASH],
      ["getValidatorsByBlockHash", ["0x12"], HASH],
      ["getValidatorsByBlockHash", [7], HASH],
      ["proposeValidatorVote", [], ADDRESS],
      ["proposeValidatorVote", ["0xzz", true], ADDRESS],
      ["proposeValidatorVote", [`${OTHER}00`, true], ADDRESS],
      ["proposeValidatorVote", [OTHER], VOTE],
      ["proposeValidatorVote", [OTHER, "yes"], VOTE],
      ["proposeValidatorVote", [OTHER, 1], VOTE],
      ["discardValidatorVote", [], ADDRESS],
      ["discardValidatorVote", ["0x"], ADDRESS],
      ["getSignerMetrics", ["foo"], NUMBER],
      ["getSignerMetrics", ["0x5", "0x1"], NUMBER],
    ])("%s %j", async (method, params, message) => {
      await using chain = await startChain(namespace);

      await expect(chain.rpc(`${namespace}_${method}`, params)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(message),
      });
    });
  });

  describe("queries on a chain of another engine", () => {
    it("are refused", async () => {
      const { plugins } = ENGINES[namespace];
      await using node = await createTestNode({ plugins });

      await expect(node.rpc(`${namespace}_getPendingVotes`)).rejects.toMatchObject({
        code: -32604,
      });
    });
  });
});

describe("votes of qbft", () => {
  it("have no effect if a contract determines the validators", async () => {
    await using chain = await startChain("qbft", { contract: CONTRACT });
    await chain.makeBlocks(2);

    expect(chain.node.blocks.head().number).toBe(2n);
    expect(await chain.rpc("qbft_getValidatorsByBlockNumber", ["latest"])).toEqual([own]);
    for (const [method, params] of [
      ["qbft_proposeValidatorVote", [OTHER, true]],
      ["qbft_discardValidatorVote", [OTHER]],
      ["qbft_getPendingVotes", []],
      ["qbft_getStandingVotes", []],
    ] as const) {
      await expect(chain.rpc(method, params)).rejects.toMatchObject({ code: -32604 });
    }
  });
});

describe("validators that a contract does not return", () => {
  it("are an error with the reason", async () => {
    const empty: Address = `0x${"78".repeat(20)}`;
    await using chain = await startChain("qbft", { contract: empty });

    for (const [method, params] of [
      ["qbft_getValidatorsByBlockNumber", ["latest"]],
      ["qbft_getValidatorsByBlockNumber", ["pending"]],
      ["qbft_getSignerMetrics", []],
    ] as const) {
      await expect(chain.rpc(method, params)).rejects.toMatchObject({
        code: -32000,
        message: expect.stringContaining("returned no list of validators"),
      });
    }
  });
});

describe("the request timeout", () => {
  it("is a number of seconds", async () => {
    await using chain = await startChain("qbft");

    expect(await chain.rpc("qbft_getRequestTimeoutSeconds")).toBe(4);
  });
});

const entry = (address: Address, count: number, last: number) => ({
  address,
  proposedBlockCount: `0x${count.toString(16)}`,
  lastProposedBlockNumber: `0x${last.toString(16)}`,
});

/** A chain with this node as its only validator. */
async function startChain(
  namespace: keyof typeof ENGINES,
  settings: { mode?: string; contract?: Address } = {},
) {
  const { plugins, codec, key } = ENGINES[namespace];
  const clock = new FakeClock(START_MS);
  const chain = await createTestNode({
    plugins,
    key: KEY,
    clock,
    options: { rpcCompatibility: settings.mode ?? "plinth" },
    genesis: {
      config: {
        chainId: 1337,
        londonBlock: 0,
        [key]: {
          blockPeriodSeconds: 1,
          requestTimeoutSeconds: 4,
          ...(settings.contract && { validatorContractAddress: settings.contract }),
        },
      },
      difficulty: "0x1",
      gasLimit: "0x1c9c380",
      timestamp: `0x${(START_MS / 1000).toString(16)}`,
      extraData: toHex(codec.encodeGenesis(settings.contract ? [] : [own])),
      alloc: { [CONTRACT]: { code: codeOfContract(), storage: { [`0x${"00".repeat(32)}`]: own } } },
    },
  });
  return {
    get node() {
      return chain.node;
    },
    rpc: chain.rpc,
    restart: () => chain.restart(),
    async makeBlocks(count: number) {
      const until = chain.node.blocks.head().number + BigInt(count);
      while (chain.node.blocks.head().number < until) await clock.advance(100);
    },
    [Symbol.asyncDispose]: () => chain.stop(),
  };
}

/** Returns the words 0x20, 1 and slot 0: a list of one address. */
function codeOfContract(): Hex {
  return "0x602060005260016020526000546040526060 6000f3".replace(" ", "") as Hex;
}
