import type { Block, Header, Transaction } from "@plinth/core";
import { blockSize } from "@plinth/core/blocks";
import { readForks } from "@plinth/core/rules";
import { describe, expect, it } from "vitest";
import { verifyBlockSize } from "./verify-block-size.js";

const HASH = `0x${"11".repeat(32)}` as const;
const HEADER = {
  parentHash: HASH,
  unclesHash: HASH,
  coinbase: `0x${"11".repeat(20)}`,
  stateRoot: HASH,
  transactionsRoot: HASH,
  receiptsRoot: HASH,
  logsBloom: new Uint8Array(256),
  difficulty: 0n,
  number: 7n,
  gasLimit: 1n,
  gasUsed: 0n,
  timestamp: 10n,
  extraData: new Uint8Array(),
  mixHash: HASH,
  nonce: new Uint8Array(8),
} satisfies Header;

const blockWith = (bytes: number): Block => {
  const transaction = { type: 2, raw: new Uint8Array(bytes) } as unknown as Transaction;
  return { header: HEADER, body: { transactions: [transaction], uncles: [] } };
};

/** A block of exactly this many bytes. */
const blockOf = (size: number) => blockWith(1_000_000 + size - blockSize(blockWith(1_000_000)));

describe("the limit of a block's size (EIP-7934)", () => {
  const osaka = readForks({ londonBlock: 0, osakaTime: 10 });

  it("allows 8 MiB", () => {
    expect(blockSize(blockOf(8_388_608))).toBe(8_388_608);
    expect(() => verifyBlockSize(blockOf(8_388_608), osaka)).not.toThrow();
  });

  it("does not allow a byte more", () => {
    expect(() => verifyBlockSize(blockOf(8_388_609), osaka)).toThrow(
      expect.objectContaining({ rule: "block-size" }),
    );
  });

  it("applies from Osaka on", () => {
    const later = readForks({ londonBlock: 0, pragueTime: 0, osakaTime: 11 });

    expect(() => verifyBlockSize(blockOf(8_388_609), later)).not.toThrow();
  });
});
