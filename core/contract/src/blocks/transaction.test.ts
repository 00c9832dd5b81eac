import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import {
  createAccessList2930Tx,
  createBlob4844Tx,
  createEOACode7702Tx,
  createFeeMarket1559Tx,
  createLegacyTx,
} from "@ethereumjs/tx";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { loadCrypto } from "../primitives/crypto.js";
import { parseHex, toHex } from "../primitives/hex.js";
import { encodeRlp, type Rlp } from "../primitives/rlp.js";
import { InvalidTransaction } from "./errors.js";
import { scalarBytes } from "./fields.js";
import { decodeTransaction, transactionFromRlp, transactionToRlp } from "./transaction.js";

const SIGNED_AT_35 = {
  // The example of EIP-155.
  raw: "0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
  sender: "0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f",
};

/** The order of the curve. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const KEY = new Uint8Array(32).fill(0x46);
const SENDER = SIGNED_AT_35.sender;
const TO = `0x${"35".repeat(20)}` as const;

const uint = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex);
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex);
const basics = fc.record({
  nonce: uint(63n),
  gasLimit: uint(63n),
  value: uint(256n),
  data: fc.uint8Array({ maxLength: 100 }),
});
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(hash, { maxLength: 3 }) }), {
  maxLength: 3,
});
const fees = fc
  .tuple(uint(100n), uint(100n))
  .map(([tip, rest]) => ({ maxPriorityFeePerGas: tip, maxFeePerGas: tip + rest }));
const authorization = fc.record({
  chainId: uint(256n),
  address,
  nonce: uint(63n),
  yParity: fc.constantFrom(0n, 1n),
  r: uint(256n),
  s: uint(255n),
});
const blobHash = hash.map((hash) => `0x01${hash.slice(4)}` as const);

const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague });

describe("transaction", () => {
  beforeAll(loadCrypto);

  it("is decoded with its fields, its hash and its sender", () => {
    const transaction = decodeTransaction(bytes(SIGNED_AT_35.raw));

    expect(transaction).toMatchObject({
      type: 0,
      chainId: 1n,
      nonce: 9n,
      gasPrice: 20_000_000_000n,
      maxFeePerGas: undefined,
      gasLimit: 21_000n,
      to: TO,
      value: 10n ** 18n,
      data: new Uint8Array(),
      accessList: [],
      v: 37n,
      yParity: 0,
      sender: SENDER,
      hash: "0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788",
    });
    expect(toHex(transaction.raw)).toBe(SIGNED_AT_35.raw);
  });

  it.each<[string, boolean]>([
    ["with replay protection", true],
    ["without replay protection", false],
  ])("of type 0 %s decodes like @ethereumjs/tx", (_, isProtected) => {
    fc.assert(
      fc.property(
        basics,
        uint(128n),
        fc.option(address, { nil: undefined }),
        (basics, gasPrice, to) => {
          const hardfork = isProtected ? Hardfork.Prague : Hardfork.Homestead;
          const theirs = createLegacyTx(
            { ...basics, gasPrice, to: to ?? "" },
            { common: new Common({ chain: Mainnet, hardfork }), allowUnlimitedInitCodeSize: true },
          ).sign(KEY);

          const ours = decodeTransaction(theirs.serialize());

          expect(ours).toMatchObject({ ...basics, type: 0, gasPrice, to });
          expect(ours.chainId).toBe(isProtected ? 1n : undefined);
          expectSame(ours, theirs);
        },
      ),
      { numRuns: 10 },
    );
  });

  it("of type 1 decodes like @ethereumjs/tx", () => {
    fc.assert(
      fc.property(basics, accessList, uint(128n), (basics, accessList, gasPrice) => {
        const theirs = createAccessList2930Tx({ ...basics, gasPrice, accessList }, { common });
        const signed = theirs.sign(KEY);

        const ours = decodeTransaction(signed.serialize());

        expect(ours).toMatchObject({ ...basics, type: 1, chainId: 1n, gasPrice, accessList });
        expectSame(ours, signed);
      }),
      { numRuns: 10 },
    );
  });

  it("of type 2 decodes like @ethereumjs/tx", () => {
    fc.assert(
      fc.property(basics, accessList, fees, (basics, accessList, fees) => {
        const theirs = createFeeMarket1559Tx({ ...basics, ...fees, accessList }, { common });
        const signed = theirs.sign(KEY);

        const ours = decodeTransaction(signed.serialize());

        expect(ours).toMatchObject({ ...basics, ...fees, type: 2, chainId: 1n, accessList });
        expect(ours.gasPrice).toBeUndefined();
        expectSame(ours, signed);
      }),
      { numRuns: 10 },
    );
  });

  it("of type 3 decodes like @ethereumjs/tx", () => {
    const blobs = fc.array(blobHash, { minLength: 1, maxLength: 6 });

    fc.assert(
      fc.property(basics, fees, uint(100n), blobs, (basics, fees, maxFeePerBlobGas, blobs) => {
        const fields = { ...basics, ...fees, to: TO, maxFeePerBlobGas, blobVersionedHashes: blobs };
        // The library requires a KZG implementation although none is used here.
        const customCrypto = { kzg: {} as never };
        const kzgCommon = new Common({ chain: Mainnet, hardfork: Hardfork.Prague, customCrypto });
        const signed = createBlob4844Tx(fields, { common: kzgCommon }).sign(KEY);

        const ours = decodeTransaction(signed.serialize());

        expect(ours).toMatchObject({ ...fields, type: 3, chainId: 1n });
        expectSame(ours, signed);
      }),
      { numRuns: 10 },
    );
  });

  it("of type 4 decodes like @ethereumjs/tx", () => {
    const authorizations = fc.array(authorization, { minLength: 1, maxLength: 3 });

    fc.assert(
      fc.property(basics, fees, authorizations, (basics, fees, authorizations) => {
        const authorizationList = authorizations.map((item) => ({
          chainId: quantity(item.chainId),
          address: item.address,
          nonce: quantity(item.nonce),
          yParity: quantity(item.yParity),
          r: quantity(item.r),
          s: quantity(item.s),
        }));
        const fields = { ...basics, ...fees, to: TO };
        const signed = createEOACode7702Tx({ ...fields, authorizationList }, { common }).sign(KEY);

        const ours = decodeTransaction(signed.serialize());

        expect(ours).toMatchObject({ ...fields, type: 4, authorizationList: authorizations });
        expectSame(ours, signed);
      }),
      { numRuns: 10 },
    );
  });

  it.each([
    ["type 0", legacy()],
    ["type 2", typed(2)],
  ])("of %s round-trips in its block encoding", (_, raw) => {
    const transaction = decodeTransaction(raw);

    const again = transactionFromRlp(transactionToRlp(transaction));

    expect(again.raw).toEqual(raw);
    expect(again.hash).toBe(transaction.hash);
  });

  it("is a list in blocks if it is of type 0, and a byte string otherwise", () => {
    expect(transactionToRlp(decodeTransaction(legacy()))).toBeInstanceOf(Array);
    expect(transactionToRlp(decodeTransaction(typed(1)))).toEqual(typed(1));
  });

  it("shares no memory with the bytes it was decoded from", () => {
    const given = bytes(SIGNED_AT_35.raw);
    const transaction = decodeTransaction(given);

    given.fill(0);

    expect(toHex(transaction.raw)).toBe(SIGNED_AT_35.raw);
    expect(transaction.sender).toBe(SENDER);
  });

  it("has no sender if its signature is invalid", () => {
    const transaction = decodeTransaction(legacy({ r: 5n, s: 1n }));

    expect(() => transaction.sender).toThrow(InvalidTransaction);
  });

  it.each<[string, Uint8Array]>([
    ["type", new Uint8Array([5, ...legacy()])],
    ["type", new Uint8Array([0, ...legacy()])],
    ["type", Uint8Array.of(0x80)],
    ["nonce", legacy({ nonce: 2n ** 64n })],
    ["nonce", legacy({ nonce: 2n ** 64n - 1n })],
    ["nonce", legacy({ nonce: Uint8Array.of(0, 1) })],
    ["nonce", legacy({ nonce: [] })],
    ["gasPrice", legacy({ gasPrice: 2n ** 256n })],
    ["gasLimit", legacy({ gasLimit: 2n ** 64n })],
    ["gasLimit", legacy({ gasLimit: 2n, gasPrice: 2n ** 255n })],
    ["to", legacy({ to: new Uint8Array(19) })],
    ["to", legacy({ to: new Uint8Array(21) })],
    ["value", legacy({ value: 2n ** 256n })],
    ["data", legacy({ data: [] })],
    ["v", legacy({ v: 0n })],
    ["v", legacy({ v: 26n })],
    ["v", legacy({ v: 29n })],
    ["v", legacy({ v: 34n })],
    ["v", legacy({ v: 2n ** 256n })],
    ["r", legacy({ r: 0n })],
    ["r", legacy({ r: ORDER })],
    ["s", legacy({ s: 0n })],
    ["s", legacy({ s: ORDER })],
    ["s", legacy({ s: undefined })],
    ["chainId", typed(1, { chainId: Uint8Array.of(0) })],
    ["accessList", typed(1, { accessList: new Uint8Array() })],
    ["accessList", typed(2, { accessList: [[new Uint8Array(20)]] })],
    ["accessList", typed(2, { accessList: [[new Uint8Array(19), []]] })],
    ["accessList", typed(2, { accessList: [[new Uint8Array(20), [new Uint8Array(31)]]] })],
    ["maxFeePerGas", typed(2, { maxFeePerGas: 2n ** 256n })],
    ["yParity", typed(2, { yParity: 2n })],
    ["yParity", typed(2, { yParity: 27n })],
    ["to", typed(3, { to: new Uint8Array() })],
    ["blobVersionedHashes", typed(3, { blobVersionedHashes: [new Uint8Array(31)] })],
    ["to", typed(4, { to: new Uint8Array() })],
    ["authorizationList", typed(4, { authorizationList: [[]] })],
  ])("is rejected by field name if %s is invalid (case %#)", (field, raw) => {
    expect(() => decodeTransaction(raw)).toThrow(InvalidTransaction);
    expect(() => decodeTransaction(raw)).toThrow(`transaction.${field}`);
  });

  it.each([
    ["with a tenth field", encodeRlp([...legacyItems(), new Uint8Array()])],
    ["with eight fields", encodeRlp(legacyItems().slice(0, 8))],
    ["as no bytes", new Uint8Array()],
    ["with trailing bytes", new Uint8Array([...legacy(), 0])],
    ["with bytes in place of the fields", Uint8Array.of(2, 0x80)],
  ])("is refused %s", (_, raw) => {
    expect(() => decodeTransaction(raw)).toThrow(
      expect.objectContaining({ code: "TRANSACTION_INVALID" }),
    );
  });

  it("of type 0 is rejected in a block when it is wrapped into bytes", () => {
    expect(() => transactionFromRlp(legacy())).toThrow(InvalidTransaction);
  });

  it.each([1, 2, 3, 4] as const)(
    "of type %i is rejected in a block when it is wrapped twice",
    (type) => {
      const raw = typed(type);

      expect(transactionFromRlp(raw)).toMatchObject({ type });
      expect(() => transactionFromRlp(encodeRlp(raw))).toThrow("transaction.type: 184");
      expect(() => transactionFromRlp([raw])).toThrow(InvalidTransaction);
      expect(() => decodeTransaction(encodeRlp(raw))).toThrow(InvalidTransaction);
    },
  );

  it("is rejected only with InvalidTransaction, whatever the bytes", () => {
    const valid = fc.constantFrom(legacy(), typed(1), typed(2), typed(3), typed(4));
    const changed = fc
      .tuple(valid, fc.nat(), fc.nat(255))
      .map(([raw, position, byte]) =>
        raw.map((old, at) => (at === position % raw.length ? byte : old)),
      );

    fc.assert(
      fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 60 })), (raw) => {
        try {
          const transaction = decodeTransaction(raw);
          expect(encodeRlp(transactionToRlp(transaction))).toEqual(
            transaction.type === 0 ? raw : encodeRlp(raw),
          );
          expect(transaction.sender).toMatch(/^0x[0-9a-f]{40}$/);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidTransaction);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

interface Theirs {
  hash(): Uint8Array;
  serialize(): Uint8Array;
  readonly v?: bigint;
  readonly r?: bigint;
  readonly s?: bigint;
}

function expectSame(ours: ReturnType<typeof decodeTransaction>, theirs: Theirs): void {
  expect(ours.hash).toBe(toHex(theirs.hash()));
  expect(ours.sender).toBe(SENDER);
  expect(ours.raw).toEqual(theirs.serialize());
  expect(ours).toMatchObject({ v: theirs.v, r: theirs.r, s: theirs.s });
}

type Values = Readonly<Record<string, bigint | Rlp | undefined>>;

function legacyItems(changes: Values = {}): readonly Rlp[] {
  return items({
    nonce: 1n,
    gasPrice: 1n,
    gasLimit: 21_000n,
    to: new Uint8Array(20),
    value: 1n,
    data: new Uint8Array(),
    v: 27n,
    r: 1n,
    s: 1n,
    ...changes,
  });
}

/** A transaction of type 0 that decodes unless the changes make it invalid. */
function legacy(changes: Values = {}): Uint8Array {
  return encodeRlp(legacyItems(changes));
}

/** The same for the other types. */
function typed(type: 1 | 2 | 3 | 4, changes: Values = {}): Uint8Array {
  const prices = type === 1 ? { gasPrice: 1n } : { maxPriorityFeePerGas: 1n, maxFeePerGas: 1n };
  const authorization = items({
    chainId: 1n,
    address: new Uint8Array(20),
    nonce: 1n,
    v: 1n,
    r: 1n,
    s: 1n,
  });
  const own = {
    1: {},
    2: {},
    3: { maxFeePerBlobGas: 1n, blobVersionedHashes: [new Uint8Array(32)] },
    4: { authorizationList: [authorization] },
  };
  const payload = items({
    chainId: 1n,
    nonce: 1n,
    ...prices,
    gasLimit: 21_000n,
    to: new Uint8Array(20),
    value: 1n,
    data: new Uint8Array(),
    accessList: [[new Uint8Array(20), [new Uint8Array(32)]]],
    ...own[type],
    yParity: 1n,
    r: 1n,
    s: 1n,
    ...changes,
  });
  return new Uint8Array([type, ...encodeRlp(payload)]);
}

function items(values: Values): Rlp[] {
  return Object.values(values)
    .filter((value) => value !== undefined)
    .map((value) => (typeof value === "bigint" ? scalarBytes(value) : value));
}

function quantity(value: bigint): `0x${string}` {
  return `0x${value.toString(16)}`;
}

function bytes(hex: string): Uint8Array {
  return parseHex(hex) ?? expect.fail(`not hex: ${hex}`);
}
