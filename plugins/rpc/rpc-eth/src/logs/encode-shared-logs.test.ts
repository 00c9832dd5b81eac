import type { Hex } from "@plinth/core";
import { encodeReceipts } from "@plinth/core/blocks";
import { createBloom } from "@plinth/core/primitives";
import { COMPATIBILITIES } from "@plinth/core/rpc";
import { type FoundLog, findEncodedLogs, logObject } from "@plinth/kit-rpc";
import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeLogs } from "./encode-logs.js";

const MODES = ["plinth", "besu", "spec"] as const;

/** Few different values, so that consecutive logs share some. */
const value = (length: number) =>
  fc
    .record({ at: fc.nat(length - 1), byte: fc.constantFrom(0, 1, 255) })
    .map(({ at, byte }): Hex => {
      const bytes = Buffer.alloc(length);
      bytes[at] = byte;
      return `0x${bytes.toString("hex")}`;
    });
const log = fc.record({
  address: value(20),
  topics: fc.array(value(32), { maxLength: 4 }),
  data: fc
    .constantFrom(0, 1, 3, 4, 5, 32, 33)
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length })),
});
const block = fc.record({
  receipts: fc.array(fc.array(log, { maxLength: 40 }), { maxLength: 4 }),
  /** Whether a reorganization lists its logs twice. */
  isListedTwice: fc.boolean(),
  picks: fc.infiniteStream(fc.boolean()),
});

it("logs that share the bytes of a block are written as their objects", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), fc.constantFrom(...MODES), (blocks, mode) => {
      const compatibility = COMPATIBILITIES[mode];
      const logs = blocks.flatMap(findLogs);

      const pieces = encodeLogs(logs, compatibility, { before: "[", after: "]" });

      const objects = logs.map((each) => logObject(each, compatibility));
      expect(Buffer.from(pieces.join()).toString("latin1")).toBe(JSON.stringify(objects));
    }),
    { numRuns: 300 },
  );
});

type Block = typeof block extends fc.Arbitrary<infer B> ? B : never;

/** The picked logs of a block, whose receipts are within a larger buffer. */
function findLogs({ receipts, isListedTwice, picks }: Block, index: number): readonly FoundLog[] {
  const encoded = encodeReceipts(
    receipts.map((logs) => ({
      ...{ type: 2, status: 1, cumulativeGasUsed: 1n, logsBloom: createBloom() },
      logs,
    })),
  );
  const larger = Buffer.concat([new Uint8Array(index), encoded]);
  const found = findEncodedLogs(larger.subarray(index), {
    mayMatch: () => true,
    matchesAt: () => picks.next().value === true,
  });
  const hash: Hex = `0x${(index + 1).toString(16).padStart(64, "0")}`;
  const header = { hash, number: BigInt(index) * 1000n + 15n, timestamp: BigInt(index) };
  return (isListedTwice ? [true, false] : [false]).flatMap((isRemoved) =>
    found.map((each) => ({
      ...{ log: each, header, isRemoved, logIndex: each.logIndex },
      transactionIndex: each.transactionIndex,
      transactionHash: `0x${(each.transactionIndex + 1).toString(16).padStart(64, "0")}` as const,
    })),
  );
}
