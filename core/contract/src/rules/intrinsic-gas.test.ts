import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONFORMANCE, isConformanceMissing } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { decodeTransaction, type Transaction } from "../blocks/transaction.js";
import type { Authorization } from "../blocks/transaction-fields.js";
import { type Address, type Hash, parseHex } from "../primitives/hex.js";
import { intrinsicGas } from "./intrinsic-gas.js";

interface Case {
  readonly txbytes: string;
  readonly result: Readonly<
    Record<string, { readonly hash?: string; readonly intrinsicGas: string }>
  >;
}

const ADDRESS: Address = `0x${"aa".repeat(20)}`;
const SLOT: Hash = `0x${"01".repeat(32)}`;
const AUTHORIZATION: Authorization = {
  chainId: 1n,
  address: ADDRESS,
  nonce: 0n,
  yParity: 0n,
  r: 1n,
  s: 1n,
};

type Charged = Pick<Transaction, "to" | "data" | "accessList" | "authorizationList">;

function aTransaction(fields: Partial<Charged> = {}): Transaction {
  const none = { data: new Uint8Array(), accessList: [], authorizationList: [] };
  return { to: ADDRESS, ...none, ...fields } as Charged as Transaction;
}

const aCreation = (sizeBytes: number) =>
  aTransaction({ to: undefined, data: new Uint8Array(sizeBytes) });

const anEntry = (slots: number) => ({ address: ADDRESS, storageKeys: Array(slots).fill(SLOT) });

describe("the intrinsic gas", () => {
  it.each([
    ["of a transfer", aTransaction(), 21_000n],
    ["of a zero byte (EIP-2028)", aTransaction({ data: Uint8Array.of(0) }), 21_004n],
    ["of any other byte (EIP-2028)", aTransaction({ data: Uint8Array.of(255) }), 21_016n],
    ["of mixed bytes", aTransaction({ data: Uint8Array.of(0, 1, 0, 2, 0) }), 21_044n],
    ["of a call with much data", aTransaction({ data: new Uint8Array(64) }), 21_256n],
    ["of an empty creation", aCreation(0), 53_000n],
    ["of a creation with a byte, a started word (EIP-3860)", aCreation(1), 53_006n],
    ["of a creation with a full word (EIP-3860)", aCreation(32), 53_130n],
    ["of a creation with a word and a byte (EIP-3860)", aCreation(33), 53_136n],
    ["of an access-list address (EIP-2930)", aTransaction({ accessList: [anEntry(0)] }), 23_400n],
    [
      "of access-list slots, including duplicates (EIP-2930)",
      aTransaction({ accessList: [anEntry(2), anEntry(1)] }),
      31_500n,
    ],
    [
      "of authorizations (EIP-7702)",
      aTransaction({ authorizationList: [AUTHORIZATION, AUTHORIZATION] }),
      71_000n,
    ],
    [
      "of everything together",
      aTransaction({
        data: Uint8Array.of(0, 1),
        accessList: [anEntry(1)],
        authorizationList: [AUTHORIZATION],
      }),
      50_320n,
    ],
  ])("%s is the sum of its parts", (_, transaction, gas) => {
    expect(intrinsicGas(transaction, "shanghai")).toBe(gas);
  });
});

describe.skipIf(isConformanceMissing)("the intrinsic gas in ethereum-tests", () => {
  it.each(["Shanghai", "Cancun"])("matches for every transaction that %s allows", (fork) => {
    const valid = readCases().filter(({ result }) => result[fork]?.hash !== undefined);

    for (const { txbytes, result } of valid) {
      const bytes = parseHex(txbytes) ?? expect.fail(`not hex: ${txbytes}`);
      expect(intrinsicGas(decodeTransaction(bytes), "shanghai")).toBe(
        BigInt(result[fork]?.intrinsicGas ?? 0),
      );
    }
    expect(valid).toHaveLength(37);
  });
});

function readCases(): readonly Case[] {
  const folder = join(CONFORMANCE, "ethereum-tests/TransactionTests");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => Object.values<Case>(JSON.parse(readFileSync(join(folder, file), "utf8"))));
}
