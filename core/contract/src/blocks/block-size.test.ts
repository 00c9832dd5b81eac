import { beforeAll, describe, expect, it } from "vitest";
import { loadCrypto } from "../primitives/crypto.js";
import { encodeBlock } from "./block.js";
import { blockSize } from "./block-size.js";
import type { Header } from "./header.js";
import { signTransaction } from "./sign-transaction.js";
import { decodeTransaction } from "./transaction.js";

const HASH = `0x${"11".repeat(32)}` as const;
const ADDRESS = `0x${"11".repeat(20)}` as const;
const KEY = new Uint8Array(32).fill(1);
const HEADER = {
  parentHash: HASH,
  unclesHash: HASH,
  coinbase: ADDRESS,
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

beforeAll(async () => {
  await loadCrypto();
});

/** A legacy transaction and one of type 2. */
function twoTransactions(bytes: number) {
  const data = new Uint8Array(bytes).fill(0xab);
  const fields = { chainId: 1n, nonce: 0n, gasLimit: 1n, to: ADDRESS, value: 0n, data };
  const fees = [{ gasPrice: 1n }, { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }];
  return fees.map((fee) => decodeTransaction(signTransaction({ ...fields, ...fee }, KEY)));
}

describe("the size of a block", () => {
  it.each([0, 1, 10, 60, 255, 70_000])(
    "equals the length of its encoding: %s bytes of data",
    (bytes) => {
      const transactions = twoTransactions(bytes);
      const withdrawals = [
        { index: 1n, validatorIndex: 300n, address: ADDRESS, amountGwei: 2n ** 40n },
      ];
      const bodies = [
        { transactions: [], uncles: [] },
        { transactions, uncles: [HEADER] },
        { transactions, uncles: [], withdrawals },
        { transactions: [], uncles: [], withdrawals: [] },
      ];

      const sizes = bodies.map((body) => blockSize({ header: HEADER, body }));

      const encoded = bodies.map((body) => encodeBlock({ header: HEADER, body }).length);
      expect(sizes).toEqual(encoded);
    },
  );
});
