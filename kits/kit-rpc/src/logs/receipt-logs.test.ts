import {
  decodeRlp,
  encodeRlp,
  type Hex,
  hexToBytes,
  type Log,
  loadCrypto,
  type Receipt,
  type Rlp,
  RlpError,
  toHex,
} from "@plinth/core";
import { bloomOfLogs, encodeReceipts, receiptFromRlp } from "@plinth/core/blocks";
import { type Bloom, bloomBits, hasBits } from "@plinth/core/primitives";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { findEncodedLogs, type LogPlace, type LogTest, TOPIC_DISTANCE } from "./receipt-logs.js";

const [A, B] = ["a1", "b2"].map((byte): Hex => `0x${byte.repeat(20)}`) as [Hex, Hex];
const [X, Y, Z] = ["01", "02", "03"].map((byte): Hex => `0x${byte.repeat(32)}`) as [Hex, Hex, Hex];

const log = fc.record({
  address: fc.constantFrom(A, B),
  topics: fc.array(fc.constantFrom(X, Y, Z), { maxLength: 4 }),
  // Lengths on both sides of what fits into the prefixes of the data and of the log.
  data: fc.oneof(fc.uint8Array({ maxLength: 2 }), fc.uint8Array({ minLength: 30, maxLength: 300 })),
});
const outcome = fc.constantFrom<Pick<Receipt, "status" | "postState">>(
  { status: 0 },
  { status: 1 },
  { postState: X },
);
const receipt: fc.Arbitrary<Receipt> = fc
  .record({
    type: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const, 4 as const),
    outcome,
    cumulativeGasUsed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    logs: fc.array(log, { maxLength: 4 }),
  })
  .map(({ outcome, ...rest }) => ({ ...rest, ...outcome, logsBloom: bloomOfLogs(rest.logs) }));
const receipts = fc.array(receipt, { maxLength: 5 });

const EVERYTHING: LogTest = { mayMatch: () => true, matchesAt: () => true };
const NOTHING: LogTest = { mayMatch: () => false, matchesAt: () => false };

describe("logs found in encoded receipts", () => {
  beforeAll(loadCrypto);

  it("are all, with their positions", () => {
    fc.assert(
      fc.property(receipts, (receipts) => {
        const found = findEncodedLogs(encodeReceipts(receipts), EVERYTHING);

        expect(
          found.map(({ transactionIndex, logIndex, address, topics, data }) => ({
            transactionIndex,
            logIndex,
            address,
            topics,
            data,
          })),
        ).toEqual(placed(receipts));
      }),
    );
  });

  it("are those that match, of receipts whose bloom may match", () => {
    fc.assert(
      fc.property(
        receipts,
        fc.constantFrom(A, B),
        fc.constantFrom(X, Y, Z),
        (receipts, address, topic) => {
          const wanted: LogTest = {
            mayMatch: (bloom, offset) => mayHave(bloom, offset, [address, topic]),
            matchesAt: (place) =>
              textAt(place, place.addressAt, 20) === address && topicsOf(place).includes(topic),
          };

          const found = findEncodedLogs(encodeReceipts(receipts), wanted);

          const expected = placed(receipts).filter(
            (log) => log.address === address && log.topics.includes(topic),
          );
          expect(found.map(({ logIndex }) => logIndex)).toEqual(
            expected.map(({ logIndex }) => logIndex),
          );
        },
      ),
    );
  });

  it("are none of receipts whose bloom rules them out", () => {
    const receipt: Receipt = {
      type: 0,
      status: 1,
      cumulativeGasUsed: 1n,
      logs: [],
      logsBloom: bloomOfLogs([]),
    };
    const logs = [{ address: A, topics: [], data: new Uint8Array() }];
    const bytes = encodeReceipts([{ ...receipt, logs }]);

    expect(findEncodedLogs(bytes, EVERYTHING)).toHaveLength(1);
    expect(findEncodedLogs(bytes, { ...EVERYTHING, mayMatch: () => false })).toEqual([]);
  });
});

describe("receipts that are damaged", () => {
  beforeAll(loadCrypto);

  it.each<[string, Rlp]>([
    ["bytes instead of a list", Uint8Array.of(1, 2)],
    ["status 2", [receiptOf({ 0: Uint8Array.of(2) })]],
    ["a root of 31 bytes", [receiptOf({ 0: new Uint8Array(31) })]],
    ["gas with leading zeros", [receiptOf({ 1: Uint8Array.of(0, 1) })]],
    ["gas of nine bytes", [receiptOf({ 1: new Uint8Array(9).fill(1) })]],
    ["a short bloom", [receiptOf({ 2: new Uint8Array(255) })]],
    ["bytes instead of logs", [receiptOf({ 3: new Uint8Array(1) })]],
    ["no logs", [receiptOf({}).slice(0, 3)]],
    ["a fifth field", [[...receiptOf({}), []]]],
    ["a log without fields", [receiptOf({ 3: [[]] })]],
    ["a log without data", [receiptOf({ 3: [logOf({}).slice(0, 2)] })]],
    ["a log of four fields", [receiptOf({ 3: [[...logOf({}), []]] })]],
    ["an address of 19 bytes", [receiptOf({ 3: [logOf({ 0: new Uint8Array(19) })] })]],
    ["a topic of 31 bytes", [receiptOf({ 3: [logOf({ 1: [new Uint8Array(31)] })] })]],
    ["bytes instead of topics", [receiptOf({ 3: [logOf({ 1: new Uint8Array(33) })] })]],
    ["a list instead of data", [receiptOf({ 3: [logOf({ 2: [] })] })]],
    ["type 5", [typed(5, encodeRlp(receiptOf({})))]],
    ["type 0 with its byte", [typed(0, encodeRlp(receiptOf({})))]],
    ["a type alone", [typed(2, new Uint8Array())]],
    ["a byte after a typed receipt", [typed(2, Uint8Array.of(...encodeRlp(receiptOf({})), 1))]],
  ])("with %s are rejected", (_, item) => {
    const bytes = encodeRlp(item);

    expect(isDecodable(bytes)).toBe(false);
    expect(() => findEncodedLogs(bytes, NOTHING)).toThrow(RlpError);
  });

  it.each(["0x", "0xc1", "0xc0c0", "0xf800", "0xc3820001"])("as %s are rejected", (hex) => {
    expect(isDecodable(hexToBytes(hex))).toBe(false);
    expect(() => findEncodedLogs(hexToBytes(hex), NOTHING)).toThrow(RlpError);
  });

  it("give what decoding them gives, or are rejected with it", () => {
    const changed = fc
      .tuple(receipts, fc.nat(), fc.nat(255))
      .map(([receipts, position, byte]) =>
        encodeReceipts(receipts).map((old, at, all) => (at === position % all.length ? byte : old)),
      );
    const shortened = fc
      .tuple(receipts, fc.nat())
      .map(([receipts, length]) => encodeReceipts(receipts).slice(0, length % 600));

    fc.assert(
      fc.property(fc.oneof(changed, shortened, fc.uint8Array()), (bytes) => {
        if (isDecodable(bytes)) {
          const decoded = decode(bytes);
          const found = findEncodedLogs(bytes, EVERYTHING);
          expect(found.map(({ address, topics, data }) => ({ address, topics, data }))).toEqual(
            decoded.flatMap(({ logs }) => logs),
          );
        } else {
          expect(() => findEncodedLogs(bytes, NOTHING)).toThrow(RlpError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

/** A receipt in RLP, with other fields. */
function receiptOf(changes: Readonly<Record<number, Rlp>>): readonly Rlp[] {
  return changed([Uint8Array.of(1), Uint8Array.of(1), new Uint8Array(256), []], changes);
}

function logOf(changes: Readonly<Record<number, Rlp>>): readonly Rlp[] {
  return changed([new Uint8Array(20), [], new Uint8Array()], changes);
}

function changed(fields: readonly Rlp[], changes: Readonly<Record<number, Rlp>>): readonly Rlp[] {
  return fields.map((field, index) => changes[index] ?? field);
}

function typed(type: number, payload: Uint8Array): Uint8Array {
  return Uint8Array.of(type, ...payload);
}

function decode(bytes: Uint8Array): readonly Receipt[] {
  const list = decodeRlp(bytes);
  if (list instanceof Uint8Array) throw new RlpError("bytes, expected a list");
  return list.map(receiptFromRlp);
}

function isDecodable(bytes: Uint8Array): boolean {
  try {
    decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof RlpError) return false;
    throw error;
  }
}

/** The logs of receipts with their positions. */
function placed(
  receipts: readonly Receipt[],
): readonly (Log & Pick<LogPlace, "transactionIndex" | "logIndex">)[] {
  return receipts
    .flatMap(({ logs }, transactionIndex) => logs.map((log) => ({ ...log, transactionIndex })))
    .map((log, logIndex) => ({ ...log, logIndex }));
}

function mayHave(bloom: Bloom, offset: number, values: readonly Hex[]): boolean {
  return values.every((value) => hasBits(bloom, bloomBits(hexToBytes(value)), offset));
}

function topicsOf(place: LogPlace): readonly Hex[] {
  return Array.from({ length: place.topicCount }, (_, index) =>
    textAt(place, place.topicsAt + index * TOPIC_DISTANCE, 32),
  );
}

function textAt({ bytes }: LogPlace, at: number, length: number): Hex {
  return toHex(bytes.subarray(at, at + length));
}
