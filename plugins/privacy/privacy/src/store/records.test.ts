import { describe, expect, it } from "vitest";
import {
  decodeCursor,
  decodeGroupBlock,
  decodePendingItem,
  decodePrivateReceipt,
  encodeCursor,
  encodeGroupBlock,
  encodePendingItem,
  encodePrivateReceipt,
  pendingKey,
  readPendingKey,
} from "./records.js";

const HASH = `0x${"ab".repeat(32)}` as const;
const GROUP = new Uint8Array(32).fill(7);

describe("records of private transactions", () => {
  it.each([
    { status: 1 as const, logs: [], output: new Uint8Array([1]), group: GROUP },
    {
      status: 0 as const,
      logs: [{ address: `0x${"01".repeat(20)}` as const, topics: [HASH], data: GROUP }],
      output: new Uint8Array(),
      revertReason: new Uint8Array(),
      failure: "reverted",
      group: GROUP,
    },
  ])("round-trip: a receipt with status $status", (receipt) => {
    expect(decodePrivateReceipt(encodePrivateReceipt(receipt))).toEqual(receipt);
  });

  it("round-trip: blocks, pending transactions, positions and the cursor", () => {
    const block = { root: HASH, markers: [HASH, HASH] };
    const cursor = { number: 2n ** 40n, hash: HASH };
    const place = { group: GROUP, number: 300n, blockHash: HASH };

    expect(decodeGroupBlock(encodeGroupBlock(block))).toEqual(block);
    for (const payload of [GROUP, new Uint8Array(), 0, 70_000]) {
      const item = { marker: HASH, payload };
      expect(decodePendingItem(encodePendingItem(item))).toEqual(item);
    }
    expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
    expect(readPendingKey(pendingKey(place, 70_000))).toEqual({ ...place, index: 70_000 });
  });

  it("sort in chain order", () => {
    const keys = [255n, 256n, 2n].map((number) =>
      Buffer.from(pendingKey({ group: GROUP, number, blockHash: HASH }, 0)),
    );

    expect([...keys].sort(Buffer.compare)).toEqual([keys[2], keys[0], keys[1]]);
  });
});
