import type { Hex, Log } from "@plinth/core";
import { encodeReceipts } from "@plinth/core/blocks";
import { createBloom } from "@plinth/core/primitives";
import { COMPATIBILITIES, type JsonPieces } from "@plinth/core/rpc";
import { type EncodedLog, type FoundLog, findEncodedLogs, logObject } from "@plinth/kit-rpc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeLogs } from "./encode-logs.js";

const MODES = ["plinth", "besu", "spec"] as const;
const [A, B] = ["0a", "b0"].map((byte): Hex => `0x${byte.repeat(20)}`) as [Hex, Hex];
const HASHES = ["ab", "cd", "ef"].map((byte): Hex => `0x${byte.repeat(32)}`) as [Hex, Hex, Hex];
const BLOCKS = [
  { hash: HASHES[0], number: 0n, timestamp: 0n },
  { hash: HASHES[1], number: 258n, timestamp: 1_700_000_000n },
  { hash: HASHES[2], number: 2n ** 64n - 1n, timestamp: 2n ** 64n - 1n },
] as const;
const TRANSACTIONS = [
  { transactionHash: HASHES[0], transactionIndex: 0 },
  { transactionHash: HASHES[1], transactionIndex: 300 },
] as const;
const [BLOCK, , LATER] = BLOCKS;
const [TRANSACTION] = TRANSACTIONS;

const log = fc.record({
  address: fc.constantFrom(A, B),
  topics: fc.array(fc.constantFrom(...HASHES), { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 80 }),
});
const found: fc.Arbitrary<FoundLog> = fc
  .tuple(
    log,
    fc.constantFrom(...BLOCKS),
    fc.constantFrom(...TRANSACTIONS),
    fc.maxSafeNat(),
    fc.boolean(),
  )
  .map(([log, header, transaction, logIndex, isRemoved]) => ({
    ...transaction,
    log: encoded(log),
    header,
    logIndex,
    isRemoved,
  }));

describe("logs in bytes", () => {
  it.each(MODES)("are the JSON of their objects in mode %s", (mode) => {
    const compatibility = COMPATIBILITIES[mode];

    fc.assert(
      fc.property(fc.array(found), (logs) => {
        const text = textOf(encodeLogs(logs, compatibility, { before: "[", after: "]" }));

        const objects = logs.map((log) => logObject(log, compatibility));
        expect(text).toBe(JSON.stringify(objects));
      }),
    );
  });

  it("have every byte of long data", () => {
    const data = Uint8Array.from({ length: 40_000 }, (_, at) => (at * 7) % 256);
    const log = encoded({ address: A, topics: [], data });
    const logs = [{ ...TRANSACTION, log, header: BLOCK, logIndex: 0, isRemoved: false }];

    const text = textOf(encodeLogs(logs, COMPATIBILITIES.plinth, { before: "", after: "" }));

    expect(JSON.parse(text).data).toBe(`0x${Buffer.from(data).toString("hex")}`);
  });

  it.each([100, 20_000, 70_000])(
    "are written at once by several readers, with %i bytes each",
    (length) => {
      const { plinth } = COMPATIBILITIES;
      const allOf = (fill: number) => {
        const log = encoded({ address: A, topics: [], data: new Uint8Array(length).fill(fill) });
        const one = { ...TRANSACTION, log, header: BLOCK, isRemoved: false };
        const logs = Array.from({ length: 1000 }, (_, logIndex) => ({ ...one, logIndex }));
        return encodeLogs(logs.slice(0, Math.ceil(1e6 / length)), plinth, {
          before: "[",
          after: "]",
        });
      };
      const all = [1, 2, 3].map(allOf);

      // Each takes a piece in turn.
      const iterators = all.map((each) => each[Symbol.iterator]());
      const texts = all.map(() => "");
      for (let left = iterators.length; left > 0; ) {
        left = iterators.length;
        for (const [index, iterator] of iterators.entries()) {
          const { done, value } = iterator.next();
          if (done) left -= 1;
          else texts[index] += Buffer.from(value).toString("latin1");
        }
      }

      expect(texts).toEqual(all.map(textOf));
      expect(texts.map((text) => text.length)).toEqual(all.map(({ byteLength }) => byteLength));
    },
  );

  it("are complete if the numbers of later blocks are longer than those of the first", () => {
    const log = encoded({ address: A, topics: [], data: new Uint8Array() });
    const place = { ...TRANSACTION, log, isRemoved: false, logIndex: Number.MAX_SAFE_INTEGER };
    const logs = [BLOCK, LATER, LATER, LATER].map((header) => ({ ...place, header }));

    const text = textOf(encodeLogs(logs, COMPATIBILITIES.plinth, { before: "[", after: "]" }));

    const objects = logs.map((log) => logObject(log, COMPATIBILITIES.plinth));
    expect(text).toBe(JSON.stringify(objects));
  });

  it("are none but the texts around them if there are none", () => {
    const { plinth } = COMPATIBILITIES;

    expect(textOf(encodeLogs([], plinth, { before: "[", after: "]" }))).toBe("[]");
    expect(textOf(encodeLogs([], plinth, { before: ",", after: "" }))).toBe(",");
  });
});

function textOf(pieces: JsonPieces): string {
  return Buffer.from(pieces.join()).toString("latin1");
}

function encoded(log: Log): EncodedLog {
  const receipt = { type: 0, status: 1, cumulativeGasUsed: 1n, logsBloom: createBloom() } as const;
  const everything = { mayMatch: () => true, matchesAt: () => true };
  const [first] = findEncodedLogs(encodeReceipts([{ ...receipt, logs: [log] }]), everything);
  return first ?? expect.fail("the log was not found");
}
