import { type Header, keccakHeader, loadCrypto, type SealedHeader } from "@plinth/core";
import { createTestNode, devChain } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { StakeEngine } from "./engine.js";
import pos from "./index.js";

const ZERO = `0x${"00".repeat(32)}` as const;

beforeAll(async () => {
  await loadCrypto();
});

describe("a header after the merge", () => {
  it("is valid without difficulty, nonce and uncles", () => {
    expect(() => verify({})).not.toThrow();
  });

  it.each<[string, Partial<Header>]>([
    ["timestamp", { timestamp: 10n }],
    ["difficulty", { difficulty: 1n }],
    ["nonce", { nonce: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1) }],
    ["uncles", { unclesHash: ZERO }],
    ["extra-data", { extraData: new Uint8Array(33) }],
  ])("is rejected by the rule %s", (rule, fields) => {
    expect(() => verify(fields)).toThrow(expect.objectContaining({ rule }));
  });
});

describe("a block after the merge", () => {
  it("is better than that of a shorter chain", () => {
    const engine = new StakeEngine();
    const [second, third] = [2n, 3n].map((number) => {
      return { header: aHeader({ number }), totalDifficulty: 0n };
    });

    expect(second && third && engine.prefers(third, second)).toBe(true);
    expect(second && third && engine.prefers(second, third)).toBe(false);
    expect(second && engine.prefers(second, second)).toBe(false);
  });
});

describe("the plugin", () => {
  it("takes over a chain of another engine at its terminal total difficulty", async () => {
    const genesis = {
      config: { chainId: 1, londonBlock: 0, dev: {}, terminalTotalDifficulty: 0 },
      gasLimit: "0x1000000",
    };
    await using node = await createTestNode({ plugins: [...devChain, pos], genesis });
    const parent = node.node.blocks.head();
    if (parent === undefined) throw new Error("the node has no chain");
    const next = {
      ...parent,
      parentHash: parent.hash,
      number: 1n,
      timestamp: 1n,
      difficulty: 0n,
      baseFeePerGas: 875_000_000n,
    };
    const body = { transactions: [], uncles: [] };

    const wrong = { header: { ...next, difficulty: 1n }, body };

    await expect(node.node.blocks.import(wrong, { origin: "peer" })).rejects.toMatchObject({
      rule: "difficulty",
    });
    expect(
      (await node.node.blocks.import({ header: next, body }, { origin: "peer" }))?.placement,
    ).toBe("head");
  });
});

function verify(fields: Partial<Header>): void {
  const parent = aHeader({ timestamp: 10n });
  new StakeEngine().verifyHeader(aHeader({ timestamp: 11n, ...fields }), parent);
}

function aHeader(fields: Partial<Header> = {}): SealedHeader {
  const header: Header = {
    parentHash: ZERO,
    unclesHash: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
    coinbase: `0x${"00".repeat(20)}`,
    stateRoot: ZERO,
    transactionsRoot: ZERO,
    receiptsRoot: ZERO,
    logsBloom: new Uint8Array(256),
    difficulty: 0n,
    number: 1n,
    gasLimit: 5_000_000n,
    gasUsed: 0n,
    timestamp: 1n,
    extraData: new Uint8Array(),
    mixHash: ZERO,
    nonce: new Uint8Array(8),
    baseFeePerGas: 7n,
    ...fields,
  };
  return { ...header, hash: keccakHeader(header) };
}
