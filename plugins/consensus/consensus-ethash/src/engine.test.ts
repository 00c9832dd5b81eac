import {
  type Address,
  type Block,
  type ChainReader,
  type Header,
  keccakHeader,
  loadCrypto,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import type { Fork, WorldState } from "@plinth/core/evm";
import { FakeClock } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { EthashEngine } from "./engine.js";
import { Epochs } from "./epochs.js";
import { HashMeter } from "./hash-meter.js";
import { RemoteSealer } from "./remote-sealer.js";

const ZERO = `0x${"00".repeat(32)}` as const;
const NO_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
const DAO = new TextEncoder().encode("dao-hard-fork");
const NOW = 1_700_000_000n;

beforeAll(async () => {
  await loadCrypto();
});

describe("a proof-of-work header", () => {
  it("is valid if it follows from its parent", async () => {
    const parent = aHeader();

    await expect(anEngine().verifyHeader(after(parent), parent)).resolves.toBeUndefined();
  });

  it.each<[string, Partial<Header>]>([
    ["timestamp", { timestamp: 1000n }],
    ["future", { timestamp: NOW + 16n }],
    ["extra-data", { extraData: new Uint8Array(33) }],
    ["difficulty", { difficulty: 131_073n }],
    ["fields", { baseFeePerGas: 7n, withdrawalsRoot: ZERO }],
  ])("is rejected by the rule %s", async (rule, fields) => {
    const parent = aHeader();

    await expect(anEngine().verifyHeader(after(parent, fields), parent)).rejects.toMatchObject({
      code: "BLOCK_INVALID",
      rule,
    });
  });

  it("has the fixed difficulty of the genesis file", async () => {
    const parent = aHeader();
    const engine = anEngine({ fixed: 15 });

    await expect(
      engine.verifyHeader(after(parent, { difficulty: 15n }), parent),
    ).resolves.toBeUndefined();
    await expect(engine.verifyHeader(after(parent), parent)).rejects.toMatchObject({
      rule: "difficulty",
    });
  });

  it.each([
    [4n, new Uint8Array(), true],
    [5n, new Uint8Array(), false],
    [5n, DAO, true],
    [14n, new Uint8Array(), false],
    [15n, new Uint8Array(), true],
  ])("shows its side around the DAO fork: block %s", async (number, extraData, isRight) => {
    const parent = aHeader({ number: number - 1n });
    const engine = anEngine({ daoBlock: 5n });

    const verified = engine.verifyHeader(after(parent, { extraData }), parent).then(
      () => true,
      ({ rule }) => rule !== "extra-data",
    );

    expect(await verified).toBe(isRight);
  });

  it("is rejected if its seal is wrong, unless seals are not verified", {
    timeout: 30_000,
  }, async () => {
    const parent = aHeader();
    const seals = { isEnabled: true };
    const engine = anEngine({ seals });

    await expect(engine.verifyHeader(after(parent), parent)).rejects.toMatchObject({
      rule: "seal",
    });
    seals.isEnabled = false;
    await expect(engine.verifyHeader(after(parent), parent)).resolves.toBeUndefined();
  });
});

describe("uncles", () => {
  it("may be cousins of up to six generations", async () => {
    const chain = aChain(8);

    await expect(verify(chain, [uncleOf(chain, 1)])).resolves.toBeUndefined();
    await expect(verify(chain, [uncleOf(chain, 6)])).resolves.toBeUndefined();
    await expect(verify(chain, [uncleOf(chain, 1), uncleOf(chain, 2)])).resolves.toBeUndefined();
  });

  it.each<[string, (chain: TestChain) => readonly Header[]]>([
    ["there are three", (chain) => [1, 2, 3].map((back) => uncleOf(chain, back))],
    ["one is duplicated", (chain) => [uncleOf(chain, 1), uncleOf(chain, 1)]],
    ["one is too old", (chain) => [uncleOf(chain, 7)]],
    ["one is a sibling", (chain) => [after(chain.head, { extraData: Uint8Array.of(1) })]],
    ["one is an ancestor", (chain) => [chain.at(7)]],
    ["one is unrelated", () => [after(aHeader({ number: 7n, timestamp: 3n }))]],
    ["one was included before", (chain) => [chain.named]],
  ])("are rejected if %s", async (_, uncles) => {
    const chain = aChain(8);

    await expect(verify(chain, uncles(chain))).rejects.toMatchObject({ rule: "uncles" });
  });

  it.each<[string, Partial<Header>]>([
    ["difficulty", { difficulty: 5n }],
    ["gas-limit", { gasLimit: 4_000n }],
    ["gas-used", { gasUsed: 9_000_000n }],
    ["number", { number: 4n }],
    ["extra-data", { extraData: new Uint8Array(40) }],
  ])("are rejected if one breaks the rule %s", async (rule, fields) => {
    const chain = aChain(8);

    await expect(verify(chain, [{ ...uncleOf(chain, 2), ...fields }])).rejects.toMatchObject({
      rule,
    });
  });
});

describe("rewards", () => {
  const MINER: Address = `0x${"aa".repeat(20)}`;
  const OTHER: Address = `0x${"bb".repeat(20)}`;
  const ETHER = 10n ** 18n;

  it.each<[Fork, bigint]>([
    ["frontier", 5n],
    ["spuriousDragon", 5n],
    ["byzantium", 3n],
    ["constantinople", 2n],
    ["grayGlacier", 2n],
  ])(
    "are, in %s, %s ether, a thirty-second of it per uncle, and eighths for uncles",
    (fork, ether) => {
      const balances = new Map<Address, bigint>();
      const state = {
        findAccount: (address: Address) => ({ balance: balances.get(address) ?? 0n }),
        setAccount: (address: Address, { balance = 0n }) => void balances.set(address, balance),
      } as unknown as WorldState;
      const uncles = [
        aHeader({ number: 9n, coinbase: OTHER }),
        aHeader({ number: 4n, coinbase: OTHER }),
      ];
      const header = aHeader({ number: 10n, coinbase: MINER });
      const block: Block = { header, body: { transactions: [], uncles } };

      anEngine().finalize({ block, state, fork });

      const reward = ether * ETHER;
      expect(balances.get(MINER)).toBe(reward + reward / 16n);
      expect(balances.get(OTHER)).toBe((reward * 7n) / 8n + (reward * 2n) / 8n);
      expect(anEngine().rewards(block, fork)).toEqual([
        { kind: "block", beneficiary: MINER, amount: reward + reward / 16n },
        { kind: "uncle", beneficiary: OTHER, amount: (reward * 7n) / 8n },
        { kind: "uncle", beneficiary: OTHER, amount: (reward * 2n) / 8n },
      ]);
    },
  );
});

function anEngine({
  fixed,
  daoBlock,
  seals = { isEnabled: false },
}: {
  readonly fixed?: number;
  readonly daoBlock?: bigint;
  readonly seals?: { isEnabled: boolean };
} = {}): EthashEngine {
  const dao = { fork: "dao", by: "block", value: daoBlock ?? 0n } as const;
  return new EthashEngine(
    {
      settings: { fixedDifficulty: fixed },
      forks: {
        activations: daoBlock === undefined ? [] : [dao],
        at: () => "homestead",
        isActive: () => false,
      },
      clock: new FakeClock(Number(NOW) * 1000),
      mining: { isEnabled: false, coinbase: undefined },
    },
    { epochs: new Epochs(), seals, sealer: new RemoteSealer(), meter: new HashMeter() },
  );
}

function aHeader(fields: Partial<Header> = {}): SealedHeader {
  const header: Header = {
    parentHash: ZERO,
    unclesHash: NO_UNCLES,
    coinbase: `0x${"00".repeat(20)}`,
    stateRoot: ZERO,
    transactionsRoot: ZERO,
    receiptsRoot: ZERO,
    logsBloom: new Uint8Array(256),
    difficulty: 131_072n,
    number: 1n,
    gasLimit: 5_000_000n,
    gasUsed: 0n,
    timestamp: 1000n,
    extraData: new Uint8Array(),
    mixHash: ZERO,
    nonce: new Uint8Array(8),
    ...fields,
  };
  return { ...header, hash: keccakHeader(header) };
}

/** A child late enough to leave the difficulty unchanged. */
function after(parent: SealedHeader, fields: Partial<Header> = {}): SealedHeader {
  return aHeader({
    parentHash: parent.hash,
    number: parent.number + 1n,
    timestamp: parent.timestamp + 15n,
    ...fields,
  });
}

interface TestChain extends ChainReader {
  readonly head: SealedHeader;
  /** An uncle of the head's parent, included by the head. */
  readonly named: Header;
  at(number: number): SealedHeader;
}

function aChain(length: number): TestChain {
  const headers = [aHeader({ number: 0n })];
  for (let number = 1; number <= length; number++) {
    headers.push(after(headers[number - 1] ?? aHeader()));
  }
  const at = (number: number) => headers[number] ?? aHeader();
  const named = after(at(length - 3), { extraData: Uint8Array.of(9) });
  const blocks = new Map(
    headers.map((header): [string, SealedBlock] => {
      const uncles = header === at(length) ? [named] : [];
      return [header.hash, { header, body: { transactions: [], uncles } }];
    }),
  );
  return {
    head: at(length),
    named,
    at,
    findHeader: (hash) => blocks.get(hash)?.header,
    findBlock: (hash) => blocks.get(hash),
    findTotalDifficulty: () => undefined,
  };
}

/**
 * A sibling of a block of the chain, this many generations before the block that will include it.
 */
function uncleOf({ head, at }: TestChain, back: number): SealedHeader {
  const number = Number(head.number) + 1 - back;
  return after(at(number - 1), { extraData: Uint8Array.of(back) });
}

function verify(chain: TestChain, uncles: readonly Header[]): Promise<void> {
  const block = { header: after(chain.head), body: { transactions: [], uncles } };
  return anEngine().verifyBlock(block, chain.head, chain);
}
