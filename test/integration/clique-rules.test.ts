import {
  type Address,
  type Block,
  type Header,
  InvalidBlock,
  type SealedHeader,
  toHex,
} from "@plinth/core";
import consensusClique from "@plinth/plugin-consensus-clique";
import rpcClique from "@plinth/plugin-rpc-clique";
import { createTestNode, FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import {
  cliqueGenesis,
  extraDataOf,
  SIGNERS,
  seal,
  sealedOn,
  type TestSigner,
} from "../support/clique-chain.js";
import { createDice, type Dice } from "../support/mutate.js";

const MUTATIONS = Number(process.env.PLINTH_CLIQUE_MUTATIONS ?? 1500);
const LIMIT_MS = 10_000 + MUTATIONS * 20;
const START_SECONDS = 1_700_000_000;
const EPOCH = 6n;
const SET = SIGNERS.slice(0, 4);
const MEMBERS = SET.map(({ address }) => address);
const STRANGER = SIGNERS[7] as TestSigner;
const SEAL_BYTES = 65;

/** A block that breaks a rule, and the rules by which it may be rejected. */
interface Mutation {
  readonly block: Block;
  readonly rules: readonly string[];
}

/**
 * The inputs of a mutation: the valid block, the signers that may not sign it, and a random source.
 */
interface Target {
  readonly parent: SealedHeader;
  readonly right: Block;
  readonly signer: TestSigner;
  readonly recent: readonly TestSigner[];
  readonly dice: Dice;
}

const changed = ({ right }: Target, change: Partial<Header>): Block => ({
  ...right,
  header: { ...right.header, ...change },
});
const resealed = (target: Target, change: Partial<Header>, signer = target.signer): Block => ({
  ...target.right,
  header: seal({ ...target.right.header, ...change }, signer),
});
const flipped = (bytes: Uint8Array, at: number, dice: Dice) =>
  bytes.with(at, (bytes[at] ?? 0) ^ (1 << dice(8)));
const randomBytes = (count: number, dice: Dice) =>
  Uint8Array.from({ length: count }, () => dice(256));
const otherDifficulty = ({ header: { difficulty } }: Block) => (difficulty === 2n ? 1n : 2n);

/** Ways to change a seal, a vote or related fields. */
const WAYS: Readonly<Record<string, (target: Target) => Mutation>> = {
  "a bit of the seal": (target) => {
    const { extraData } = target.right.header;
    const at = extraData.length - 1 - target.dice(SEAL_BYTES);
    const block = changed(target, { extraData: flipped(extraData, at, target.dice) });
    return { block, rules: ["seal", "signer"] };
  },
  "random bytes for the seal": (target) => {
    const unsealed = target.right.header.extraData.slice(0, -SEAL_BYTES);
    const bytes = randomBytes(SEAL_BYTES - 1, target.dice);
    const extraData = Uint8Array.of(...unsealed, ...bytes, target.dice(4));
    return { block: changed(target, { extraData }), rules: ["seal", "signer"] };
  },
  "no seal": (target) => {
    const unsealed = target.right.header.extraData.slice(0, -SEAL_BYTES);
    const extraData = Uint8Array.of(...unsealed, ...new Uint8Array(SEAL_BYTES));
    return { block: changed(target, { extraData }), rules: ["seal"] };
  },
  "the vanity, under the old seal": (target) => {
    const { extraData } = target.right.header;
    const block = changed(target, { extraData: flipped(extraData, target.dice(32), target.dice) });
    return { block, rules: ["signer", "seal"] };
  },
  "the candidate, under the old seal": (target) => ({
    block: changed(target, { coinbase: toHex(randomBytes(20, target.dice)) }),
    rules: ["signer", "seal", "epoch-vote"],
  }),
  "the direction of the vote, under the old seal": (target) => {
    const nonce = new Uint8Array(8).fill(target.right.header.nonce[0] === 0 ? 0xff : 0);
    return { block: changed(target, { nonce }), rules: ["signer", "seal"] };
  },
  "a nonce that is not a vote": (target) => {
    const at = target.dice(8);
    const nonce = target.right.header.nonce.with(at, 1 + target.dice(254));
    return { block: resealed(target, { nonce }), rules: ["nonce"] };
  },
  "a vote in an epoch block": (target) => {
    const coinbase = toHex(randomBytes(20, target.dice).with(0, 1));
    const isEpoch = target.right.header.number % EPOCH === 0n;
    return isEpoch
      ? { block: resealed(target, { coinbase }), rules: ["epoch-vote"] }
      : { block: resealed(target, { coinbase }, STRANGER), rules: ["signer"] };
  },
  "the list of signers": (target) => {
    const isEpoch = target.right.header.number % EPOCH === 0n;
    const lists = isEpoch
      ? [[], MEMBERS.slice(1), [...MEMBERS].reverse(), [...MEMBERS, STRANGER.address]]
      : [MEMBERS, [STRANGER.address]];
    const list = lists[target.dice(lists.length)] ?? [];
    const extraData = extraDataOf(list.map((address) => ({ address })));
    return { block: resealed(target, { extraData }), rules: ["signer-list"] };
  },
  "the length of the extra data": (target) => {
    const length = target.dice(97 + 80);
    const isWhole = length >= 97 && (length - 97) % 20 === 0;
    const extraData = new Uint8Array(isWhole ? length + 1 : length);
    return { block: changed(target, { extraData }), rules: ["extra-data"] };
  },
  "a stranger's seal": (target) => ({ block: resealed(target, {}, STRANGER), rules: ["signer"] }),
  "the seal of a signer that must wait": (target) => {
    const signer = target.recent[target.dice(target.recent.length)] ?? STRANGER;
    return { block: resealed(target, {}, signer), rules: ["recently-signed"] };
  },
  "the other difficulty": (target) => ({
    block: resealed(target, { difficulty: otherDifficulty(target.right) }),
    rules: ["difficulty"],
  }),
  "any difficulty": (target) => ({
    block: resealed(target, { difficulty: BigInt(3 + target.dice(1_000_000)) }),
    rules: ["difficulty"],
  }),
  "a mix hash": (target) => ({
    block: resealed(target, { mixHash: toHex(randomBytes(32, target.dice)) }),
    rules: ["mix-hash"],
  }),
  "a hash of uncles": (target) => ({
    block: resealed(target, { unclesHash: toHex(randomBytes(32, target.dice)) }),
    rules: ["uncles"],
  }),
  "an early time": (target) => ({
    block: resealed(target, { timestamp: target.parent.timestamp - BigInt(target.dice(1000)) }),
    rules: ["too-early"],
  }),
  "a late time": (target) => ({
    block: resealed(target, {
      timestamp: BigInt(START_SECONDS + 100_000 + target.dice(1_000_000)),
    }),
    rules: ["future"],
  }),
};

describe("a block whose seal or vote was changed", () => {
  it(
    `is rejected by the broken rule, ${MUTATIONS} times`,
    async () => {
      const clock = new FakeClock((START_SECONDS + 1000) * 1000);
      const genesis = cliqueGenesis({
        signers: SET,
        clique: { blockperiodseconds: 1, epochlength: Number(EPOCH) },
        timestamp: START_SECONDS,
      });
      await using test = await createTestNode({ plugins: [consensusClique], genesis, clock });
      const { blocks } = test.node;
      const dice = createDice(24);
      const ways = Object.entries(WAYS);
      const heights = 24;
      const share = Math.ceil(MUTATIONS / heights);
      const counts: Record<string, number> = {};

      for (let height = 1; height <= heights; height++) {
        const parent = blocks.head();
        const signer = signerAt(height);
        const target: Target = {
          parent,
          signer,
          recent: [height - 1, height - 2].filter((at) => at > 0).map(signerAt),
          right: rightBlock(parent, signer),
          dice,
        };
        for (let count = 0; count < share; count++) {
          const [name, change] = ways[dice(ways.length)] ?? ["", WAYS["no seal"]];
          if (name === "the seal of a signer that must wait" && target.recent.length === 0)
            continue;
          const { block, rules } = change?.(target) ?? { block: target.right, rules: [] };
          const rule = await blocks.import(block, { origin: "file" }).then(
            ({ awaits, placement }) => (awaits === "time" ? "future" : placement),
            (error: unknown) => (error instanceof InvalidBlock ? error.rule : `${error}`),
          );
          expect(rules, `${name} at ${height}`).toContain(rule);
          counts[rule] = (counts[rule] ?? 0) + 1;
        }
        expect(blocks.head().hash).toBe(parent.hash);
        expect((await blocks.import(target.right, { origin: "peer" })).placement).toBe("head");
      }

      expect(Object.keys(counts).sort()).toEqual([
        "difficulty",
        "epoch-vote",
        "extra-data",
        "future",
        "mix-hash",
        "nonce",
        "recently-signed",
        "seal",
        "signer",
        "signer-list",
        "too-early",
        "uncles",
      ]);
    },
    LIMIT_MS,
  );
});

/** Signers in turn, with an occasional vote. */
function signerAt(height: number): TestSigner {
  return SET[height % SET.length] as TestSigner;
}

function rightBlock(parent: SealedHeader, signer: TestSigner): Block {
  const number = parent.number + 1n;
  const isEpoch = number % EPOCH === 0n;
  const candidate = STRANGER.address;
  return sealedOn(parent, {
    signer,
    members: MEMBERS,
    isEpoch,
    ...(!isEpoch && number % 4n === 1n && { vote: { candidate, kind: "add" } }),
  });
}

describe("the settings of a genesis file", () => {
  const start = (clique: object, more: object = {}) =>
    createTestNode({
      plugins: [consensusClique, rpcClique],
      genesis: { ...cliqueGenesis({ signers: SET, clique }), ...more },
    });

  it.each<[string, object, string]>([
    ["a period of 0", { blockperiodseconds: 0 }, "blockPeriodSeconds: expected seconds"],
    ["a period that is not a number", { blockperiodseconds: "x" }, "blockPeriodSeconds: expected"],
    ["an epoch of 0", { epochlength: 0 }, "epochLength: expected an integer of at least 1"],
    ["an epoch below 0", { epochlength: -1 }, "epochLength: expected an integer of at least 1"],
    [
      "two periods",
      { blockperiodseconds: 5, period: 6 },
      "has blockperiodseconds 5 and period 6; expected one value",
    ],
    ["two epochs", { epochlength: 5, epoch: 0 }, "has epochlength 5 and epoch 30000"],
  ])("are refused: %s", async (_, clique, problem) => {
    await expect(start(clique)).rejects.toThrow(problem);
  });

  it.each<[string, object]>([
    ["the spelling of Besu", { BlockPeriodSeconds: "5", EPOCHLENGTH: 9, createEmptyBlocks: true }],
    ["that of geth", { period: 5, epoch: 0 }],
    ["both", { blockperiodseconds: 5, period: 5, epochlength: 30000, epoch: 0 }],
    ["nothing", {}],
  ])("are taken: %s", async (_, clique) => {
    await using node = await start(clique);

    expect(await node.rpc("clique_getSigners")).toEqual(MEMBERS);
  });

  it.each<[string, string]>([
    ["none", "0x"],
    ["short", `0x${"00".repeat(96)}`],
    ["half a signer", `0x${"00".repeat(107)}`],
  ])("are rejected with extra data: %s", async (_, extraData) => {
    await expect(start({}, { extraData })).rejects.toThrow("a Clique chain expects 32 of vanity");
  });

  it("are rejected with a transition at one block twice", async () => {
    const transitions = { clique: [{ block: 3 }, { block: 3, blockperiodseconds: 2 }] };
    const genesis = cliqueGenesis({ signers: SET, config: { transitions } });

    await expect(createTestNode({ plugins: [consensusClique], genesis })).rejects.toThrow(
      "config.transitions.clique names block 3 twice",
    );
  });

  it("change at the blocks of transitions", async () => {
    const transitions = {
      clique: [
        { block: 2, blockperiodseconds: 5 },
        { block: 3, createemptyblocks: false },
      ],
    };
    const clock = new FakeClock((START_SECONDS + 1000) * 1000);
    const genesis = cliqueGenesis({
      signers: SET,
      config: { transitions },
      timestamp: START_SECONDS,
    });
    await using test = await createTestNode({ plugins: [consensusClique], genesis, clock });
    const { blocks } = test.node;
    const offer = (height: number, seconds: bigint) => {
      const wish = { signer: signerAt(height), members: MEMBERS, seconds };
      return blocks.import(sealedOn(blocks.head(), wish), { origin: "peer" }).then(
        ({ placement }) => placement,
        ({ rule }: InvalidBlock) => rule,
      );
    };

    expect(await offer(1, 1n)).toBe("head");
    expect(await offer(2, 4n)).toBe("too-early");
    expect(await offer(2, 5n)).toBe("head");
    expect(await offer(3, 5n)).toBe("empty-block");
  });

  it("end with Shanghai", async () => {
    const clock = new FakeClock((START_SECONDS + 1000) * 1000);
    const config = { londonBlock: 0, shanghaiTime: START_SECONDS + 2 };
    const genesis = cliqueGenesis({ signers: SET, config, timestamp: START_SECONDS });
    await using test = await createTestNode({ plugins: [consensusClique], genesis, clock });
    const { blocks } = test.node;
    const offer = (seconds: bigint) => {
      const change = { baseFeePerGas: 875_000_000n };
      const wish = { signer: signerAt(1), members: MEMBERS, seconds, change };
      return blocks.import(sealedOn(blocks.head(), wish), { origin: "peer" });
    };

    await expect(offer(3n)).rejects.toMatchObject({ rule: "fork" });
    expect((await offer(1n)).placement).toBe("head");
  });
});

describe("fork choice", () => {
  const members: readonly Address[] = MEMBERS;

  it("prefers the block of the signer in turn, whichever arrives first", async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      await using test = await createTestNode({
        plugins: [consensusClique],
        genesis: cliqueGenesis({ signers: SET }),
      });
      const { blocks } = test.node;
      const genesis = blocks.head();
      const pair = [signerAt(1), signerAt(2)].map((signer) =>
        sealedOn(genesis, { signer, members }),
      );
      for (const index of order) await blocks.import(pair[index] as Block, { origin: "peer" });

      expect(blocks.head().difficulty).toBe(2n);
    }
  });

  it("is the same for two blocks of one difficulty, whichever arrives first", async () => {
    const heads: string[] = [];
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      await using test = await createTestNode({
        plugins: [consensusClique],
        genesis: cliqueGenesis({ signers: SET }),
      });
      const { blocks } = test.node;
      const genesis = blocks.head();
      const pair = [signerAt(2), signerAt(3)].map((signer) =>
        sealedOn(genesis, { signer, members }),
      );
      for (const index of order) await blocks.import(pair[index] as Block, { origin: "peer" });
      heads.push(blocks.head().hash);
    }

    expect(heads[0]).toBe(heads[1]);
  });
});
