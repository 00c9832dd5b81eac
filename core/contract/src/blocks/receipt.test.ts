import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createBloom, isInBloom } from "../primitives/bloom.js";
import { loadCrypto } from "../primitives/crypto.js";
import { type Hex, parseHex, toHex } from "../primitives/hex.js";
import { encodeRlp, type Rlp, RlpError } from "../primitives/rlp.js";
import {
  bloomOfLogs,
  decodeReceipt,
  encodeReceipt,
  type Receipt,
  receiptFromRlp,
  receiptToRlp,
} from "./receipt.js";

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex);
const log = fc.record({
  address: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex),
  topics: fc.array(hash, { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 100 }),
});
const outcome = fc.oneof(
  fc.record({ status: fc.constantFrom(0 as const, 1 as const) }),
  fc.record({ postState: hash }),
);
const receipt: fc.Arbitrary<Receipt> = fc
  .tuple(
    outcome,
    fc.record({
      type: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const, 4 as const),
      cumulativeGasUsed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      logsBloom: fc.uint8Array({ minLength: 256, maxLength: 256 }),
      logs: fc.array(log, { maxLength: 5 }),
    }),
  )
  .map(([outcome, rest]) => ({ ...rest, ...outcome }));

const SIMPLE: Receipt = {
  type: 0,
  status: 1,
  cumulativeGasUsed: 21_000n,
  logsBloom: createBloom(),
  logs: [],
};

describe("receipt", () => {
  beforeAll(loadCrypto);

  it("round-trips, alone and in a list", () => {
    fc.assert(
      fc.property(receipt, (receipt) => {
        expect(decodeReceipt(encodeReceipt(receipt))).toEqual(receipt);
        expect(receiptFromRlp(receiptToRlp(receipt))).toEqual(receipt);
      }),
    );
  });

  it.each<[string, Partial<Receipt>, string]>([
    ["a success", {}, "0xf9010801825208b90100"],
    ["a failure", { status: 0 }, "0xf9010880825208b90100"],
    ["a success of type 2", { type: 2 }, "0x02f9010801825208b90100"],
  ])("starts with the bytes of the protocol for %s", (_, changes, start) => {
    const encoded = toHex(encodeReceipt({ ...SIMPLE, ...changes }));

    expect(encoded.slice(0, start.length)).toBe(start);
  });

  it("does not contain the gas of the transaction alone", () => {
    expect(encodeReceipt({ ...SIMPLE, gasUsed: 1n })).toEqual(encodeReceipt(SIMPLE));
  });

  it("is not encoded without an outcome", () => {
    const { status: _, ...rest } = SIMPLE;

    expect(() => encodeReceipt(rest)).toThrow(RlpError);
  });

  it.each<[string, Rlp]>([
    ["status 2", [Uint8Array.of(2), Uint8Array.of(1), createBloom(), []]],
    ["a root of 31 bytes", [new Uint8Array(31), Uint8Array.of(1), createBloom(), []]],
    ["gas with leading zeros", [Uint8Array.of(1), Uint8Array.of(0, 1), createBloom(), []]],
    ["a short bloom", [Uint8Array.of(1), Uint8Array.of(1), new Uint8Array(255), []]],
    ["no logs", [Uint8Array.of(1), Uint8Array.of(1), createBloom()]],
    ["a fifth field", [Uint8Array.of(1), Uint8Array.of(1), createBloom(), [], []]],
    ["a log of two fields", [Uint8Array.of(1), Uint8Array.of(1), createBloom(), [[]]]],
  ])("is rejected with %s", (_, item) => {
    expect(() => receiptFromRlp(item)).toThrow(RlpError);
  });

  it.each(["0x", "0x00f90108", "0x05c0", "0x7fc0", "0x80"])("is rejected as %s", (hex) => {
    expect(() => decodeReceipt(bytes(hex))).toThrow(RlpError);
  });

  it("is rejected only with RlpError, whatever the bytes", () => {
    const changed = fc
      .tuple(receipt, fc.nat(), fc.nat(255))
      .map(([receipt, position, byte]) =>
        encodeReceipt(receipt).map((old, at, all) => (at === position % all.length ? byte : old)),
      );

    fc.assert(
      fc.property(fc.oneof(changed, fc.uint8Array()), (bytes) => {
        try {
          expect(encodeReceipt(decodeReceipt(bytes))).toEqual(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(RlpError);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is decoded from a list only in its list form", () => {
    const wrapped = encodeReceipt(SIMPLE);

    expect(() => receiptFromRlp(wrapped)).toThrow(RlpError);
    expect(() => decodeReceipt(encodeRlp(encodeReceipt({ ...SIMPLE, type: 2 })))).toThrow(RlpError);
  });
});

describe("the bloom of logs", () => {
  beforeAll(loadCrypto);

  it("contains every address and every topic", () => {
    fc.assert(
      fc.property(fc.array(log, { maxLength: 5 }), (logs) => {
        const bloom = bloomOfLogs(logs);

        for (const { address, topics } of logs) {
          for (const value of [address, ...topics]) {
            expect(isInBloom(bloom, bytes(value))).toBe(true);
          }
        }
      }),
    );
  });

  it("is empty without logs", () => {
    expect(bloomOfLogs([])).toEqual(createBloom());
  });
});

function bytes(hex: Hex | string): Uint8Array {
  return parseHex(hex) ?? expect.fail(`not hex: ${hex}`);
}
