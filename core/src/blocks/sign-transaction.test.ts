import { beforeAll, describe, expect, it } from "vitest";
import { loadCrypto } from "../primitives/crypto.js";
import { findBytes } from "../primitives/hex.js";
import { encodeUnsigned, signTransaction } from "./sign-transaction.js";
import { decodeTransaction } from "./transaction.js";

const KEY = findBytes("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const BOB = "0x00000000000000000000000000000000000000b0";
const transfer = {
  chainId: 1337n,
  nonce: 3n,
  gasLimit: 21_000n,
  to: BOB,
  value: 5n,
  data: new Uint8Array([1, 2]),
} as const;
const accessList = [{ address: BOB, storageKeys: [`0x${"11".repeat(32)}`] }] as const;

beforeAll(async () => void (await loadCrypto()));

describe("a transaction that is signed here", () => {
  it.each([
    [0, { gasPrice: 7n }],
    [1, { gasPrice: 7n, accessList }],
    [2, { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n }],
    [2, { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, accessList }],
  ])("is read back as type %i with its sender", (type, fees) => {
    const raw = signTransaction({ ...transfer, ...fees }, KEY ?? new Uint8Array());

    expect(decodeTransaction(raw)).toMatchObject({ type, ...transfer, ...fees, sender: ALICE });
  });

  it("creates a contract when it goes to nobody", () => {
    const raw = signTransaction({ ...transfer, to: undefined }, KEY ?? new Uint8Array());

    expect(decodeTransaction(raw)).toMatchObject({ to: undefined, sender: ALICE });
  });
});

describe("a transaction without chain id", () => {
  it("is read back with its sender", () => {
    const raw = signTransaction(
      { ...transfer, chainId: undefined, gasPrice: 7n },
      KEY ?? new Uint8Array(),
    );

    expect(decodeTransaction(raw)).toMatchObject({ type: 0, chainId: undefined, sender: ALICE });
  });
});

describe("a transaction that nobody signed", () => {
  it("has the sender that is handed in, and another without", () => {
    const raw = encodeUnsigned({ ...transfer, gasPrice: 7n }, BOB);

    expect(decodeTransaction(raw, BOB).sender).toBe(BOB);
    expect(decodeTransaction(raw).sender).not.toBe(BOB);
  });

  it("differs by sender", () => {
    const [one, other] = [BOB, ALICE].map((sender) =>
      decodeTransaction(encodeUnsigned({ ...transfer, gasPrice: 7n }, sender as typeof BOB), BOB),
    );

    expect(one?.hash).not.toBe(other?.hash);
  });
});
