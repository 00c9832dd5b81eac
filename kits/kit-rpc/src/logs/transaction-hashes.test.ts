import { encodeRlp, hexToBytes, loadCrypto, RlpError } from "@plinth/core";
import { decodeTransaction, encodeBody, signTransaction } from "@plinth/core/blocks";
import { beforeAll, describe, expect, it } from "vitest";
import { hashTransactions } from "./transaction-hashes.js";

const KEY = hexToBytes("11".repeat(32));
const FIELDS = {
  chainId: 1n,
  data: new Uint8Array(),
  gasLimit: 21_000n,
  to: `0x${"22".repeat(20)}`,
  value: 1n,
} as const;

describe("the hashes of transactions of an encoded body", () => {
  beforeAll(loadCrypto);

  it("are those of the transactions at the indexes, of any type", () => {
    const transactions = bodyOf(5);
    const body = encodeBody({ transactions, uncles: [], withdrawals: [] });

    const hashes = hashTransactions(body, new Set([1, 2, 4]));

    expect([...hashes]).toEqual([1, 2, 4].map((index) => [index, transactions[index]?.hash]));
  });

  it("are rejected beyond the last transaction", () => {
    const body = encodeBody({ transactions: bodyOf(2), uncles: [] });

    expect(() => hashTransactions(body, new Set([0, 2]))).toThrow(RlpError);
  });

  it.each([
    ["no list", Uint8Array.of(1)],
    ["no transactions", []],
    ["bytes for transactions", [Uint8Array.of(1, 2), []]],
  ])("are rejected if there is %s", (_, body) => {
    expect(() => hashTransactions(encodeRlp(body), new Set([0]))).toThrow(RlpError);
  });
});

/** Transactions of type 0 and 2 in turn. */
function bodyOf(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const price =
      index % 2 === 0 ? { gasPrice: 7n } : { maxFeePerGas: 7n, maxPriorityFeePerGas: 1n };
    const raw = signTransaction({ ...FIELDS, nonce: BigInt(index), ...price }, KEY);
    return decodeTransaction(raw);
  });
}
