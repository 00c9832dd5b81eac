import { type Hex, loadCrypto, type Receipt } from "@plinth/core";
import { bloomOfLogs, encodeReceipts } from "@plinth/core/blocks";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { LogMatcher } from "./log-matcher.js";
import { findEncodedLogs } from "./receipt-logs.js";

/** More than are compared one by one. */
const MANY = 40;
const ADDRESSES = Array.from({ length: MANY }, (_, index) => hexOf(index, 20));
const TOPICS = Array.from({ length: MANY }, (_, index) => hexOf(index, 32));
const [address, topic] = [ADDRESSES, TOPICS].map((values) =>
  fc.constantFrom(...values.slice(0, 4)),
) as [fc.Arbitrary<Hex>, fc.Arbitrary<Hex>];

const log = fc.record({
  address,
  topics: fc.array(topic, { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 70 }),
});
const receipt: fc.Arbitrary<Receipt> = fc
  .record({
    type: fc.constantFrom(0 as const, 2 as const),
    status: fc.constantFrom(0 as const, 1 as const),
    cumulativeGasUsed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    logs: fc.array(log, { maxLength: 5 }),
  })
  .map((receipt) => ({ ...receipt, logsBloom: bloomOfLogs(receipt.logs) }));
const criteria = fc.record({
  addresses: valuesOf(ADDRESSES),
  topics: fc.array(valuesOf(TOPICS), { maxLength: 4 }),
});

describe("a search of encoded receipts", () => {
  beforeAll(loadCrypto);

  it("finds what a search of the decoded ones finds", () => {
    fc.assert(
      fc.property(fc.array(receipt, { maxLength: 5 }), criteria, (receipts, criteria) => {
        const matcher = new LogMatcher(criteria);

        const found = findEncodedLogs(encodeReceipts(receipts), matcher);

        const expected = receipts
          .flatMap(({ logs }, transactionIndex) =>
            logs.map((log) => ({ ...log, transactionIndex })),
          )
          .map((log, logIndex) => ({ ...log, logIndex }))
          .filter((log) => matcher.matches(log));
        expect(
          found.map(({ address, topics, data, transactionIndex, logIndex }) => ({
            address,
            topics,
            data,
            transactionIndex,
            logIndex,
          })),
        ).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

/** None, which match everything, a few, or many. */
function valuesOf(all: readonly Hex[]): fc.Arbitrary<readonly Hex[]> {
  const few = fc.subarray(all.slice(0, 6), { maxLength: 3 });
  return fc.oneof(few, fc.constantFrom(all.slice(1), all.slice(3)));
}

/** Values that differ in their first byte alone, or in their last one. */
function hexOf(index: number, bytes: number): Hex {
  const byte = index.toString(16).padStart(2, "0");
  const zeros = "00".repeat(bytes - 1);
  return index % 2 === 0 ? `0x${byte}${zeros}` : `0x${zeros}${byte}`;
}
