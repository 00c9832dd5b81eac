import { encodeRlp, hexToBytes, keccak256, loadCrypto, toHex } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { type ChangeRecord, createRecord, decodeRecord, encodeRecord } from "./change-record.js";
import { RecordChain } from "./record-chain.js";

beforeAll(loadCrypto);

const ID = `0x${"1d".repeat(32)}` as const;
const BLOCK = `0x${"b1".repeat(32)}` as const;

describe("a record", () => {
  it.each([
    ["added", "01"],
    ["removed", ""],
  ] as const)("that is %s has the hash of its parts", (kind, number) => {
    const record = createRecord({
      ...{ sequence: 300n, kind, number: 7n, blockHash: BLOCK, previous: ID },
    });

    const parts = [ID, "012c", number, "07", BLOCK].map(hexToBytes);
    expect(record.hash).toBe(toHex(keccak256(encodeRlp(parts))));
    expect(decodeRecord(300n, encodeRecord(record))).toEqual(record);
  });

  it.each([
    ["of an unknown kind", (bytes: Uint8Array) => bytes.fill(2, 0, 1)],
    ["that is cut off", (bytes: Uint8Array) => bytes.subarray(0, 72)],
    ["that is empty", () => new Uint8Array()],
  ])("%s cannot be read", (_, damage) => {
    const content = { sequence: 1n, kind: "added", number: 7n, blockHash: BLOCK, previous: ID };
    const bytes = encodeRecord(createRecord(content as never));

    expect(() => decodeRecord(1n, damage(bytes))).toThrow(
      "the database is damaged: the record 1 of the stream of changes cannot be read",
    );
  });
});

describe("a chain of records", () => {
  it("accepts records that follow one another, and reports the last one", () => {
    const { first, second } = twoRecords();
    const chain = new RecordChain({ sequence: 0n, hash: ID });

    chain.add(first);
    chain.add(second);

    expect(chain.last).toEqual({ sequence: 2n, hash: second.hash });
  });

  it.each<[string, (two: ReturnType<typeof twoRecords>) => readonly ChangeRecord[], string]>([
    ["is missing", ({ second }) => [second], "expected the record 1 of the stream, got 2"],
    ["is repeated", ({ first }) => [first, first], "expected the record 2 of the stream, got 1"],
    [
      "is of another stream",
      ({ first }) => [createRecord({ ...first, previous: BLOCK })],
      `the record 1 of the stream follows ${BLOCK}, but the last one known is ${ID}`,
    ],
    [
      "was changed",
      ({ first }) => [{ ...first, number: 8n }],
      "the record 1 of the stream has the hash 0x",
    ],
  ])("rejects records of which one %s", (_, choose, problem) => {
    const chain = new RecordChain({ sequence: 0n, hash: ID });

    expect(() => {
      for (const record of choose(twoRecords())) chain.add(record);
    }).toThrow(problem);
  });
});

function twoRecords() {
  const block = { number: 7n, blockHash: BLOCK } as const;
  const first = createRecord({ ...block, sequence: 1n, kind: "added", previous: ID });
  const second = createRecord({ ...block, sequence: 2n, kind: "removed", previous: first.hash });
  return { first, second };
}
