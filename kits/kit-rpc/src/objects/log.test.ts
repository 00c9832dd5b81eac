import { COMPATIBILITIES } from "@plinth/core/rpc";
import { describe, expect, it } from "vitest";
import type { PlacedLog } from "../logs/placed-log.js";
import { logObject, logWriter } from "./log.js";

const HEADER = { hash: `0x${"ab".repeat(32)}`, number: 258n, timestamp: 1_700_000_000n } as const;
const OTHER = { ...HEADER, hash: `0x${"cd".repeat(32)}`, number: 0n } as const;

describe("logs as JSON", () => {
  it.each(["plinth", "besu", "spec"] as const)("are their objects in mode %s", (mode) => {
    const compatibility = COMPATIBILITIES[mode];
    const write = logWriter(compatibility);

    for (const log of logs()) {
      expect(write(log)).toBe(JSON.stringify(logObject(log, compatibility)));
    }
  });
});

/** All numbers of topics; transactions, blocks and their places on the chain change in between. */
function logs(): readonly PlacedLog[] {
  return [0, 1, 2, 3, 4].flatMap((count) =>
    [HEADER, OTHER].flatMap((header) =>
      [0, 1, 300].map((index) => ({
        log: {
          address: `0x${"0f".repeat(20)}` as const,
          topics: Array.from({ length: count }, () => `0x${"77".repeat(32)}` as const),
          data: new Uint8Array(count * 33).fill(index),
        },
        header,
        transactionHash: `0x${String(index % 2).repeat(64)}` as const,
        transactionIndex: index,
        logIndex: index * 17,
        isRemoved: count === 3,
      })),
    ),
  );
}
