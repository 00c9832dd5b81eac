import { beforeAll, describe, expect, it } from "vitest";
import { getCrypto, loadCrypto } from "../primitives/crypto.js";
import { parseHex } from "../primitives/hex.js";
import { keccak256 } from "../primitives/keccak/keccak.js";
import { encodeRlp } from "../primitives/rlp.js";
import { encodeUnsigned, signAuthorization, signTransaction } from "./sign-transaction.js";
import { decodeTransaction } from "./transaction.js";

const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
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
const AUTHORIZATION = {
  chainId: 1337n,
  address: BOB,
  nonce: 4n,
  yParity: 1n,
  r: 5n,
  s: 6n,
} as const;
const accessList = [{ address: BOB, storageKeys: [`0x${"11".repeat(32)}`] }] as const;

beforeAll(async () => void (await loadCrypto()));

describe("a transaction signed by this package", () => {
  it.each([
    [0, { gasPrice: 7n }],
    [1, { gasPrice: 7n, accessList }],
    [2, { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n }],
    [2, { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, accessList }],
    [
      3,
      {
        maxFeePerGas: 9n,
        maxPriorityFeePerGas: 1n,
        maxFeePerBlobGas: 5n,
        blobVersionedHashes: [`0x01${"22".repeat(31)}` as const],
      },
    ],
    [4, { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, authorizationList: [AUTHORIZATION] }],
  ])("decodes as type %i with its sender", (type, fees) => {
    const raw = signTransaction({ ...transfer, ...fees }, KEY ?? new Uint8Array());

    expect(decodeTransaction(raw)).toMatchObject({ type, ...transfer, ...fees, sender: ALICE });
  });

  it("creates a contract when it has no recipient", () => {
    const raw = signTransaction({ ...transfer, to: undefined }, KEY ?? new Uint8Array());

    expect(decodeTransaction(raw)).toMatchObject({ to: undefined, sender: ALICE });
  });
});

describe("an authorization (EIP-7702)", () => {
  it("recovers to its signer", () => {
    const wanted = { chainId: 1337n, address: BOB, nonce: 4n } as const;
    const { r, s, yParity } = signAuthorization(wanted, KEY ?? new Uint8Array());
    const word = (value: bigint) => parseHex(value.toString(16).padStart(64, "0"));
    const message = encodeRlp([parseHex("0539"), parseHex(BOB), parseHex("04")] as Uint8Array[]);
    const { recover, addressOf } = getCrypto();

    const signer = recover(keccak256(Buffer.concat([Uint8Array.of(5), message])), {
      r: word(r) ?? message,
      s: word(s) ?? message,
      recovery: Number(yParity) as 0 | 1,
    });

    expect(addressOf(signer)).toBe(ALICE);
  });
});

describe("a transaction without chain id", () => {
  it("decodes with its sender", () => {
    const raw = signTransaction(
      { ...transfer, chainId: undefined, gasPrice: 7n },
      KEY ?? new Uint8Array(),
    );

    expect(decodeTransaction(raw)).toMatchObject({ type: 0, chainId: undefined, sender: ALICE });
  });
});

describe("an unsigned transaction", () => {
  it("has the sender that is passed in, and a different one without", () => {
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
