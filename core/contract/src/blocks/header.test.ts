import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { loadCrypto } from "../primitives/crypto.js";
import { toHex } from "../primitives/hex.js";
import { encodeRlp, type Rlp, RlpError } from "../primitives/rlp.js";
import {
  bloomOfHeader,
  copyHeader,
  decodeHeader,
  encodeHeader,
  type Header,
  headerFromRlp,
  headerToRlp,
  keccakHeader,
  sealHeader,
} from "./header.js";

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex);
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

const OPTIONAL = {
  baseFeePerGas: uint256,
  withdrawalsRoot: hash,
  blobGasUsed: uint64,
  excessBlobGas: uint64,
  parentBeaconBlockRoot: hash,
  requestsHash: hash,
};

const required = fc.record({
  parentHash: hash,
  unclesHash: hash,
  coinbase: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex),
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: fc.uint8Array({ minLength: 256, maxLength: 256 }),
  difficulty: uint256,
  number: uint64,
  gasLimit: uint64,
  gasUsed: uint64,
  timestamp: uint64,
  extraData: fc.uint8Array({ maxLength: 200 }),
  mixHash: hash,
  nonce: fc.uint8Array({ minLength: 8, maxLength: 8 }),
});

/** A header of any fork: the optional fields up to some fork. */
const header: fc.Arbitrary<Header> = fc
  .tuple(required, fc.record(OPTIONAL), fc.nat(6))
  .map(([required, optional, count]) => ({
    ...required,
    ...Object.fromEntries(Object.entries(optional).slice(0, count)),
  }));

describe("header", () => {
  beforeAll(loadCrypto);

  it("has its bloom at a position that can be found without decoding the rest", () => {
    fc.assert(
      fc.property(header, fc.constantFrom(0, 100, 70_000), (header, extra) => {
        const extraData = new Uint8Array(extra);

        expect(bloomOfHeader(encodeHeader({ ...header, extraData }))).toEqual(header.logsBloom);
      }),
    );
  });

  it("round-trips", () => {
    fc.assert(
      fc.property(header, (header) => {
        expect(decodeHeader(encodeHeader(header))).toEqual(header);
      }),
    );
  });

  // The genesis block of mainnet, https://etherscan.io/block/0
  it("has the well-known hash of the mainnet genesis block", () => {
    expect(keccakHeader(MAINNET_GENESIS)).toBe(
      "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
    );
  });

  it("hashes with replaced extra data like a header that has it", () => {
    const extraData = Uint8Array.of(1, 2, 3);

    expect(keccakHeader(MAINNET_GENESIS, extraData)).toBe(
      keccakHeader({ ...MAINNET_GENESIS, extraData }),
    );
  });

  it("keeps the hash it was sealed with, whatever it is", () => {
    const hash = `0x${"12".repeat(32)}` as const;

    expect(sealHeader(MAINNET_GENESIS, hash)).toEqual({ ...MAINNET_GENESIS, hash });
  });

  it("is copied with the fields of its fork, and with changes but for those that are undefined", () => {
    const nothing = Object.fromEntries(
      Object.keys(MAINNET_GENESIS).map((name) => [name, undefined]),
    );
    fc.assert(
      fc.property(header, header, (header, changes) => {
        const optional = Object.keys(OPTIONAL).filter((name) => !(name in header));
        const fields = Object.entries(changes).filter(([name]) => !optional.includes(name));

        expect(copyHeader(header, nothing)).toStrictEqual(header);
        expect(copyHeader(header, Object.fromEntries(fields))).toStrictEqual({
          ...header,
          ...Object.fromEntries(fields),
        });
        expect(copyHeader(header, changes)).toStrictEqual({ ...header, ...changes });
      }),
    );
  });

  it("encodes the same whether it is sealed or not", () => {
    const sealed = sealHeader(MAINNET_GENESIS, `0x${"12".repeat(32)}`);

    expect(encodeHeader(sealed)).toEqual(encodeHeader(MAINNET_GENESIS));
  });

  it.each<[string, Partial<Header>]>([
    ["the base fee", { withdrawalsRoot: `0x${"00".repeat(32)}` }],
    ["two fields in the middle", { baseFeePerGas: 1n, excessBlobGas: 1n }],
    ["the first of three", { withdrawalsRoot: `0x${"00".repeat(32)}`, blobGasUsed: 0n }],
  ])("is not encoded without %s if a later field is present", (_, optional) => {
    expect(() => encodeHeader({ ...MAINNET_GENESIS, ...optional })).toThrow(RlpError);
  });

  it.each<[string, number, Rlp]>([
    ["parentHash", 0, new Uint8Array(31)],
    ["coinbase", 2, new Uint8Array(21)],
    ["logsBloom", 6, new Uint8Array(255)],
    ["difficulty", 7, new Uint8Array(33).fill(1)],
    ["number", 8, Uint8Array.of(0, 1)],
    ["gasLimit", 9, new Uint8Array(9).fill(1)],
    ["timestamp", 11, Uint8Array.of(0)],
    ["extraData", 12, []],
    ["nonce", 14, new Uint8Array()],
    ["baseFeePerGas", 15, Uint8Array.of(0, 7)],
    ["withdrawalsRoot", 16, new Uint8Array()],
    ["blobGasUsed", 17, new Uint8Array(9).fill(1)],
    ["excessBlobGas", 18, []],
    ["parentBeaconBlockRoot", 19, new Uint8Array(33)],
    ["requestsHash", 20, new Uint8Array(1)],
  ])("is rejected by field name when %s is malformed", (field, position, item) => {
    const items = [...listOf(headerToRlp(FULL_HEADER))];
    items[position] = item;

    const read = () => headerFromRlp(items);

    expect(read).toThrow(RlpError);
    expect(read).toThrow(`header.${field}:`);
  });

  it.each([14, 22])("is rejected with %d fields", (count) => {
    const items = [...listOf(headerToRlp(FULL_HEADER)), new Uint8Array()].slice(0, count);

    expect(() => headerFromRlp(items)).toThrow(RlpError);
  });

  it("is rejected only with RlpError, whatever the bytes", () => {
    fc.assert(
      fc.property(damaged(header), (bytes) => {
        try {
          expect(encodeHeader(decodeHeader(bytes))).toEqual(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(RlpError);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const ZERO = `0x${"00".repeat(32)}` as const;
const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

const MAINNET_GENESIS: Header = {
  parentHash: ZERO,
  unclesHash: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  coinbase: `0x${"00".repeat(20)}`,
  stateRoot: "0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544",
  transactionsRoot: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  logsBloom: new Uint8Array(256),
  difficulty: 0x400000000n,
  number: 0n,
  gasLimit: 5000n,
  gasUsed: 0n,
  timestamp: 0n,
  extraData: Uint8Array.from(
    Buffer.from("11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa", "hex"),
  ),
  mixHash: ZERO,
  nonce: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0x42),
};

const FULL_HEADER: Header = {
  ...MAINNET_GENESIS,
  baseFeePerGas: 7n,
  withdrawalsRoot: EMPTY_ROOT,
  blobGasUsed: 0n,
  excessBlobGas: 0n,
  parentBeaconBlockRoot: ZERO,
  requestsHash: ZERO,
};

function listOf(item: Rlp): readonly Rlp[] {
  return item instanceof Uint8Array ? expect.fail("not a list") : item;
}

/** Arbitrary values, nested lists of them, and headers with one byte changed. */
function damaged(header: fc.Arbitrary<Header>): fc.Arbitrary<Uint8Array> {
  const changed = fc
    .tuple(header, fc.nat(), fc.nat(255))
    .map(([header, position, byte]) =>
      encodeHeader(header).map((old, at, all) => (at === position % all.length ? byte : old)),
    );
  const list = fc.array(fc.uint8Array({ maxLength: 33 }), { maxLength: 22 }).map(encodeRlp);
  return fc.oneof(changed, list, fc.uint8Array({ maxLength: 60 }));
}
