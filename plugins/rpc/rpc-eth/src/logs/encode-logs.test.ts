import type { Hex, Log } from "@plinth/core";
import { encodeReceipts } from "@plinth/core/blocks";
import { createBloom } from "@plinth/core/primitives";
import { COMPATIBILITIES } from "@plinth/core/rpc";
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
        const bytes = encodeLogs(logs, compatibility, { before: "[", after: "]" });

        const objects = logs.map((log) => logObject(log, compatibility));
        expect(bytes.toString("latin1")).toBe(JSON.stringify(objects));
      }),
    );
  });

  it("have every byte of long data", () => {
    const data = Uint8Array.from({ length: 40_000 }, (_, at) => (at * 7) % 256);
    const log = encoded({ address: A, topics: [], data });
    const logs = [{ ...TRANSACTION, log, header: BLOCK, logIndex: 0, isRemoved: false }];

    const bytes = encodeLogs(logs, COMPATIBILITIES.plinth, { before: "", after: "" });

    expect(JSON.parse(bytes.toString()).data).toBe(`0x${Buffer.from(data).toString("hex")}`);
  });

  it("are complete if the numbers of later blocks are longer than those of the first", () => {
    const log = encoded({ address: A, topics: [], data: new Uint8Array() });
    const place = { ...TRANSACTION, log, isRemoved: false, logIndex: Number.MAX_SAFE_INTEGER };
    const logs = [BLOCK, LATER, LATER, LATER].map((header) => ({ ...place, header }));

    const bytes = encodeLogs(logs, COMPATIBILITIES.plinth, { before: "[", after: "]" });

    const objects = logs.map((log) => logObject(log, COMPATIBILITIES.plinth));
    expect(bytes.toString("latin1")).toBe(JSON.stringify(objects));
  });

  it("are none but the texts around them if there are none", () => {
    const { plinth } = COMPATIBILITIES;

    expect(encodeLogs([], plinth, { before: "[", after: "]" }).toString()).toBe("[]");
    expect(encodeLogs([], plinth, { before: ",", after: "" }).toString()).toBe(",");
  });
});

function encoded(log: Log): EncodedLog {
  const receipt = { type: 0, status: 1, cumulativeGasUsed: 1n, logsBloom: createBloom() } as const;
  const everything = { mayMatch: () => true, matchesAt: () => true };
  const [first] = findEncodedLogs(encodeReceipts([{ ...receipt, logs: [log] }]), everything);
  return first ?? expect.fail("the log was not found");
}
