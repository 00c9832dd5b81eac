import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createBloom } from "../primitives/bloom.js";
import { loadCrypto } from "../primitives/crypto.js";
import { parseHex } from "../primitives/hex.js";
import { encodeRlp, type Rlp, RlpError } from "../primitives/rlp.js";
import {
  type Block,
  type Body,
  blockFromRlp,
  blockToRlp,
  decodeBlock,
  decodeBody,
  encodeBlock,
  encodeBody,
  receiptsRoot,
  transactionsRoot,
  unclesHash,
  withdrawalsRoot,
} from "./block.js";
import { InvalidTransaction } from "./errors.js";
import type { Header } from "./header.js";
import { EMPTY_ROOT } from "./ordered-root.js";
import { decodeTransaction } from "./transaction.js";

const ZERO = `0x${"00".repeat(32)}` as const;
const HEADER: Header = {
  parentHash: ZERO,
  unclesHash: ZERO,
  coinbase: `0x${"00".repeat(20)}`,
  stateRoot: ZERO,
  transactionsRoot: ZERO,
  receiptsRoot: ZERO,
  logsBloom: createBloom(),
  difficulty: 1n,
  number: 1n,
  gasLimit: 1n,
  gasUsed: 1n,
  timestamp: 1n,
  extraData: new Uint8Array(),
  mixHash: ZERO,
  nonce: new Uint8Array(8),
};
// The example of EIP-155.
const TRANSACTION = decodeTransaction(
  bytes(
    "0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
  ),
);
const WITHDRAWAL = { index: 1n, validatorIndex: 2n, address: HEADER.coinbase, amountGwei: 3n };

const BODIES: [string, Body][] = [
  ["an empty body", { transactions: [], uncles: [] }],
  ["a transaction and an uncle", { transactions: [TRANSACTION], uncles: [HEADER] }],
  ["an empty list of withdrawals", { transactions: [], uncles: [], withdrawals: [] }],
  ["a withdrawal", { transactions: [TRANSACTION], uncles: [], withdrawals: [WITHDRAWAL] }],
];

describe("block", () => {
  beforeAll(loadCrypto);

  it.each(BODIES)("round-trips with %s", (_, body) => {
    const block: Block = { header: HEADER, body };

    expect(decodeBlock(encodeBlock(block))).toEqual(block);
    expect(decodeBody(encodeBody(body))).toEqual(body);
  });

  it.each<[string, (items: readonly Rlp[]) => Rlp]>([
    ["two fields", (items) => items.slice(0, 2)],
    ["five fields", (items) => [...items, [], []]],
    ["bytes in place of transactions", ([header]) => [header ?? [], new Uint8Array(), []]],
    ["a wrong uncle", ([header]) => [header ?? [], [], [[]]]],
    ["a wrong withdrawal", ([header]) => [header ?? [], [], [], [[]]]],
    ["a wrong header", () => [[], [], []]],
    ["bytes only", () => new Uint8Array()],
  ])("is rejected with %s", (_, change) => {
    const items = blockToRlp({ header: HEADER, body: { transactions: [], uncles: [] } });
    if (items instanceof Uint8Array) return expect.fail("not a list");

    expect(() => blockFromRlp(change(items))).toThrow(RlpError);
  });

  it("is rejected for an invalid transaction with the reason of the transaction", () => {
    expect(() => decodeBody(encodeRlp([[[]], []]))).toThrow(InvalidTransaction);
  });

  it("is rejected only with one of the two errors, whatever the bytes", () => {
    const changed = fc
      .tuple(fc.constantFrom(...BODIES), fc.nat(), fc.nat(255))
      .map(([[, body], position, byte]) =>
        encodeBlock({ header: HEADER, body }).map((old, at, all) =>
          at === position % all.length ? byte : old,
        ),
      );

    fc.assert(
      fc.property(fc.oneof(changed, fc.uint8Array()), (bytes) => {
        try {
          expect(encodeBlock(decodeBlock(bytes))).toEqual(bytes);
        } catch (error) {
          expect(error instanceof RlpError || error instanceof InvalidTransaction).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("the roots of a block", () => {
  beforeAll(loadCrypto);

  it("are the well-known empty roots for an empty block", () => {
    expect(transactionsRoot([])).toBe(EMPTY_ROOT);
    expect(receiptsRoot([])).toBe(EMPTY_ROOT);
    expect(withdrawalsRoot([])).toBe(EMPTY_ROOT);
    expect(unclesHash([])).toBe(
      "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
    );
  });
});

function bytes(hex: string): Uint8Array {
  return parseHex(hex) ?? expect.fail(`not hex: ${hex}`);
}
