import { createHash } from "node:crypto";
import {
  type Address,
  decodeRlp,
  definePlugin,
  encodeRlp,
  getCrypto,
  type Hash,
  hexToBytes,
  loadCrypto,
  type Rlp,
  toHex,
} from "@plinth/core";
import { signAuthorization, signTransaction, type UnsignedTransaction } from "@plinth/core/blocks";
import { blobProofVerifiers } from "@plinth/core/pool";
import { ALICE, BOB, createTestNode, DEV_GENESIS } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import rpcEth from "./index.js";

const MODES = ["plinth", "besu", "spec"] as const;
const bytes = (hex: string) => hexToBytes(hex);
const KEY = bytes(ALICE.key);
const [POOR, CONTRACT, DELEGATED, OTHER] = [1, 2, 3, 4].map((byte) =>
  new Uint8Array(32).fill(byte),
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
/** Order of secp256k1: an s above half of it is a second signature for the same transaction. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A blob of zeros: its commitment and its proof are the point at infinity. */
const BLOB = new Uint8Array(131_072);
const INFINITY = bytes(`c0${"00".repeat(47)}`);
/** The generator: a point of the group that proves nothing here. */
const GENERATOR = bytes(
  "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
);
const BLOB_HASH: Hash = `0x01${createHash("sha256").update(INFINITY).digest("hex").slice(2)}`;

const transfer: UnsignedTransaction = {
  chainId: 1337n,
  nonce: 0n,
  gasLimit: 21_000n,
  to: BOB,
  value: 1n,
  data: new Uint8Array(),
};
const old = { gasPrice: 1_000_000_000n };
const market = { maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1n };
const blob = { ...market, maxFeePerBlobGas: 1_000n, blobVersionedHashes: [BLOB_HASH] };

const sign = (changes: Partial<UnsignedTransaction> = old, key = KEY) =>
  signTransaction({ ...transfer, ...changes }, key);

/** The network form of a blob transaction. */
function withSidecar(raw: Uint8Array, proof = INFINITY): Uint8Array {
  const sidecar: Rlp[] = [[BLOB], [INFINITY], [proof]];
  return Buffer.concat([raw.subarray(0, 1), encodeRlp([decodeRlp(raw.subarray(1)), ...sidecar])]);
}

/** The other signature of the same transaction (EIP-2). */
function withHighS(raw: Uint8Array): Uint8Array {
  const fields = decodeRlp(raw) as Uint8Array[];
  const s = ORDER - BigInt(toHex(fields[8] ?? raw));
  const v = BigInt(toHex(fields[6] ?? raw));
  return encodeRlp([
    ...fields.slice(0, 6),
    bytes(`0${(v % 2n === 0n ? v - 1n : v + 1n).toString(16)}`),
    ...fields.slice(7, 8),
    bytes(s.toString(16).padStart(64, "0")),
  ]);
}

/** A legacy transaction with one field replaced. */
function withField(raw: Uint8Array, index: number, value: Uint8Array): Uint8Array {
  return encodeRlp((decodeRlp(raw) as Uint8Array[]).with(index, value));
}

const addressOf = (key: Uint8Array): Address => {
  const crypto = getCrypto();
  return crypto.addressOf(crypto.publicKeyOf(key));
};

function genesisAt(fork: object): object {
  const balance = "1000000000000000000000";
  return {
    ...DEV_GENESIS,
    config: { ...DEV_GENESIS.config, ...fork },
    alloc: {
      ...DEV_GENESIS.alloc,
      [addressOf(OTHER)]: { balance },
      [addressOf(CONTRACT)]: { balance, code: "0x00" },
      [addressOf(DELEGATED)]: { balance, code: `0xef0100${"bb".repeat(20)}`, nonce: "0x5" },
    },
  };
}

interface Case {
  readonly raw: () => Uint8Array;
  /** Sent before it, and accepted. */
  readonly before?: () => readonly Uint8Array[];
  readonly fork?: object;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A plugin that rejects every transaction. */
const picky = (refusal: { readonly message: string; readonly isUnauthorized?: boolean }) =>
  definePlugin({ name: "picky", setup: ({ hooks }) => hooks.pool.admit.tap(() => refusal) });

/** Accepts the proof of a blob of zeros. */
const proofs = definePlugin({
  name: "proofs",
  setup: ({ contribute }) =>
    contribute(blobProofVerifiers, {
      name: "zeros",
      verify: async ({ proofs }) => proofs.every((proof) => toHex(proof) === toHex(INFINITY)),
    }),
});

async function send(
  mode: string,
  { raw, before, fork, options = {} }: Case,
  plugins: readonly ReturnType<typeof picky>[] = [],
) {
  await using node = await createTestNode({
    plugins: [rpcEth, proofs, ...plugins],
    genesis: genesisAt(fork ?? { pragueTime: 0 }),
    options: { rpcCompatibility: mode, ...options },
  });
  for (const earlier of before?.() ?? [])
    await node.rpc("eth_sendRawTransaction", [toHex(earlier)]);
  return await node
    .rpc("eth_sendRawTransaction", [toHex(raw())])
    .then(() => "taken")
    .catch(({ code, message }) => [code, message]);
}

beforeAll(async () => void (await loadCrypto()));

/**
 * Each with its code and message, which are the same in all modes unless the last column differs.
 */
const CASES: readonly [
  name: string,
  given: Case,
  code: number,
  message: string,
  others?: Partial<Record<(typeof MODES)[number], readonly [number, string]>>,
][] = [
  [
    "no bytes",
    { raw: () => new Uint8Array() },
    -32602,
    "Invalid params",
    { besu: [-32603, "Internal error"] },
  ],
  ["an unknown type", { raw: () => Uint8Array.of(9, 0xc0) }, -32602, "Invalid params"],
  ["malformed RLP", { raw: () => sign().subarray(0, -1) }, -32602, "Invalid params"],
  ["no signature", { raw: () => withField(sign(), 7, new Uint8Array()) }, -32602, "Invalid params"],
  [
    "a nonce of 2^64",
    { raw: () => withField(sign(), 0, bytes(`01${"00".repeat(8)}`)) },
    -32602,
    "Invalid params",
  ],
  [
    "a nonce of 2^64 - 1",
    { raw: () => withField(sign(), 0, bytes("ff".repeat(8))) },
    -32602,
    "Invalid params",
  ],
  [
    "a price that overflows",
    { raw: () => withField(sign(), 1, bytes("ff".repeat(32))) },
    -32602,
    "Invalid params",
  ],
  [
    "a known one",
    { raw: () => sign({ ...old, nonce: 1n }), before: () => [sign({ ...old, nonce: 1n })] },
    -32000,
    "Known transaction",
  ],
  [
    "a price above the cap",
    { raw: () => sign({ gasPrice: 10n ** 18n + 1n }) },
    -32000,
    "Transaction fee cap exceeded",
  ],
  [
    "a price below 7 wei",
    { raw: () => sign({ gasPrice: 6n }) },
    -32009,
    "Gas price below configured minimum gas price",
  ],
  [
    "a price below the pool's floor if local ones have no priority",
    { raw: () => sign({ gasPrice: 999n }), options: { txPoolNoLocalPriority: true } },
    -32009,
    "Gas price below configured minimum gas price",
  ],
  ["another chain", { raw: () => sign({ ...old, chainId: 1n }) }, -32000, "Wrong chainId"],
  [
    "a chain id on a chain without one",
    { raw: () => sign(), fork: { chainId: undefined } },
    -32000,
    "ChainId not supported",
  ],
  [
    "a missing chain id where one is required",
    {
      raw: () => sign({ ...old, chainId: undefined }),
      options: { strictTxReplayProtectionEnabled: true },
    },
    -32000,
    "ChainId is required",
  ],
  ["a high s", { raw: () => withHighS(sign()) }, -32002, "Invalid signature"],
  [
    "an invalid signature",
    { raw: () => withField(sign(), 7, bytes("05")) },
    -32002,
    "Invalid signature",
  ],
  [
    "no blobs",
    { raw: () => sign({ ...blob, blobVersionedHashes: [] }) },
    -32602,
    "Invalid blob count (blob transactions must have at least one blob)",
  ],
  ["missing blobs", { raw: () => sign(blob) }, -32603, "blobs failed kzg validation"],
  [
    "a wrong proof",
    { raw: () => withSidecar(sign(blob), GENERATOR) },
    -32603,
    "blobs failed kzg validation",
  ],
  [
    "more blobs than a block",
    { raw: () => sign({ ...blob, blobVersionedHashes: Array(10).fill(BLOB_HASH) }) },
    -32000,
    "Total blob gas too high",
  ],
  [
    "a type of a later fork",
    { raw: () => withSidecar(sign(blob)), fork: {} },
    -32602,
    "Invalid transaction type",
  ],
  [
    "init code over the limit",
    {
      raw: () =>
        sign({ ...old, to: undefined, data: new Uint8Array(49_153), gasLimit: 20_000_000n }),
    },
    -32603,
    "transaction.data: 49153 bytes of init code, expected at most 49152",
    { besu: [-32603, "Internal error"] },
  ],
  [
    "an empty authorization list",
    { raw: () => sign({ ...market, authorizationList: [] }) },
    -32603,
    "transaction.authorizationList: empty",
    { besu: [-32603, "Internal error"] },
  ],
  [
    "a tip above the fee",
    { raw: () => sign({ maxFeePerGas: 10n, maxPriorityFeePerGas: 11n }) },
    -32000,
    "Max priority fee per gas exceeds max fee per gas",
  ],
  [
    "too little gas",
    { raw: () => sign({ ...old, gasLimit: 20_999n }) },
    -32003,
    "Intrinsic gas exceeds gas limit",
  ],
  [
    "less gas than its data costs at least (EIP-7623)",
    { raw: () => sign({ ...old, data: new Uint8Array(1000).fill(1), gasLimit: 60_999n }) },
    -32003,
    "Intrinsic gas exceeds gas limit",
  ],
  [
    "more gas than a block has",
    { raw: () => sign({ ...old, gasLimit: 30_000_001n }) },
    -32005,
    "Transaction gas limit exceeds block gas limit",
  ],
  [
    "more gas than a transaction may have (EIP-7825)",
    { raw: () => sign({ ...old, gasLimit: 2n ** 24n + 1n }), fork: { osakaTime: 0 } },
    -32005,
    "Transaction gas limit cap exceeded",
  ],
  [
    "missing funds",
    { raw: () => sign(old, POOR) },
    -32004,
    "Upfront cost exceeds account balance: insufficient funds for gas * price + value",
    {
      besu: [-32004, "Upfront cost exceeds account balance"],
      spec: [-32000, "insufficient funds for gas * price + value"],
    },
  ],
  ["a used nonce", { raw: () => sign({ ...old, nonce: 4n }, DELEGATED) }, -32001, "Nonce too low"],
  [
    "a contract as its sender (EIP-3607)",
    { raw: () => sign(old, CONTRACT) },
    -32007,
    "Sender account not authorized to send transactions",
  ],
  [
    "a nonce far ahead",
    { raw: () => sign({ ...old, nonce: 201n }) },
    -32000,
    "Transaction nonce is too distant from current sender nonce",
  ],
  [
    "a second one of a delegated sender (EIP-7702)",
    { raw: () => sign({ ...old, nonce: 6n }, DELEGATED) },
    -32000,
    "A delegated account may have one pending transaction, with its next nonce",
  ],
  [
    "a replacement that pays too little",
    {
      raw: () => sign({ ...old, nonce: 1n, value: 2n }),
      before: () => [sign({ ...old, nonce: 1n })],
    },
    -32000,
    "Replacement transaction underpriced",
  ],
  [
    "a full pool",
    {
      raw: () => sign({ ...old, nonce: 1n }, OTHER),
      before: () => [sign({ ...old, nonce: 1n })],
      options: { txPool: "SEQUENCED", txPoolMaxSize: 1, txPoolLimitByAccountPercentage: 1 },
    },
    -32000,
    "Transaction pool is full",
  ],
];

describe.each(MODES)("a transaction that is rejected in mode %s", (mode) => {
  it.each(CASES)("for %s has the matching error", async (_, given, code, message, others = {}) => {
    expect(await send(mode, given)).toEqual(others[mode] ?? [code, message]);
  });

  it.each([
    [{ message: "not today" }, [-32000, "not today"]],
    [
      { message: "Sender account not authorized to send transactions", isUnauthorized: true },
      [-32007, "Sender account not authorized to send transactions"],
    ],
  ])("by a plugin has the plugin's error: %j", async (refusal, answer) => {
    expect(await send(mode, { raw: () => sign() }, [picky(refusal)])).toEqual(answer);
  });

  it.each([
    ["not hex", ["0xzz"], "Invalid params"],
    ["half a byte", ["0x123"], "Invalid params"],
    ["no parameter", [], "Invalid number of params"],
    ["two parameters", ["0x", "0x"], "Invalid number of params"],
  ])("for being %s has the matching error", async (_, params, message) => {
    await using node = await createTestNode({
      plugins: [rpcEth],
      options: { rpcCompatibility: mode },
    });

    await expect(node.rpc("eth_sendRawTransaction", params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });
});

describe("a transaction of every type", () => {
  it.each<[string, () => Uint8Array, object?]>([
    ["0 without chain id", () => sign({ ...old, chainId: undefined })],
    ["0", () => sign()],
    ["1", () => sign({ ...old, accessList: [] })],
    ["2", () => sign(market)],
    ["3", () => withSidecar(sign(blob))],
    [
      "4",
      () => {
        const authorization = { chainId: 1337n, address: BOB, nonce: 0n };
        const authorizationList = [signAuthorization(authorization, POOR)];
        return sign({ ...market, authorizationList, gasLimit: 100_000n });
      },
    ],
    [
      "0 with 128 KB of data",
      () => sign({ ...old, data: new Uint8Array(131_072), gasLimit: 5_000_000n }),
    ],
  ])("%s is accepted and mined", async (_, raw) => {
    await using node = await createTestNode({
      plugins: [rpcEth, proofs],
      genesis: genesisAt({ pragueTime: 0 }),
    });

    const hash = await node.rpc("eth_sendRawTransaction", [toHex(raw())]);
    await node.mine([]);

    expect(await node.rpc("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
  });
});

describe("a blob transaction", () => {
  it("is rejected if no plugin verifies proofs", async () => {
    await using node = await createTestNode({
      plugins: [rpcEth],
      genesis: genesisAt({ pragueTime: 0 }),
    });

    await expect(
      node.rpc("eth_sendRawTransaction", [toHex(withSidecar(sign(blob)))]),
    ).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("no loaded plugin verifies their proofs"),
    });
  });
});
