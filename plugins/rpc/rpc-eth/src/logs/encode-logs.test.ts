import { COMPATIBILITIES } from "@plinth/core/rpc";
import { logObject, logWriter, type PlacedLog } from "@plinth/kit-rpc";
import { describe, expect, it } from "vitest";
import { encodeLogs } from "./encode-logs.js";

const MODES = ["plinth", "besu", "spec"] as const;
const HASHES = ["ab", "cd", "ef"].map((byte) => `0x${byte.repeat(32)}` as const);

describe("logs in bytes", () => {
  it.each(MODES)("are the JSON of their objects in mode %s", (mode) => {
    const compatibility = COMPATIBILITIES[mode];
    const logs = manyLogs();

    const bytes = encodeLogs(logs, logWriter(compatibility), { before: "[", after: "]" });

    const objects = logs.map((log) => logObject(log, compatibility));
    expect(bytes.toString("latin1")).toBe(JSON.stringify(objects));
  });

  it("are none but the texts around them if there are none", () => {
    const write = logWriter(COMPATIBILITIES.plinth);

    expect(encodeLogs([], write, { before: "[", after: "]" }).toString()).toBe("[]");
    expect(encodeLogs([], write, { before: ",", after: "" }).toString()).toBe(",");
  });

  it("are complete even if they are longer than expected", () => {
    const text = "x".repeat(100_000);
    const logs = manyLogs().slice(0, 3);

    const bytes = encodeLogs(logs, () => text, { before: "[", after: "]" });

    expect(bytes.toString("latin1")).toBe(`[${text},${text},${text}]`);
  });
});

/** Every number of topics, with and without data, in blocks and transactions that change in between. */
function manyLogs(): readonly PlacedLog[] {
  return [0, 1, 2, 3, 4].flatMap((topics) =>
    [0, 1, 32, 33, 64, 65, 5000, 40_000].flatMap((dataBytes, index) =>
      [0n, 258n, 2n ** 64n - 1n].map((number, block) => ({
        log: {
          address: `0x${"0f".repeat(20)}` as const,
          topics: HASHES.concat(HASHES).slice(0, topics),
          data: Uint8Array.from({ length: dataBytes }, (_, at) => (at * 7 + index) % 256),
        },
        header: { hash: HASHES[block] ?? "0x", number, timestamp: number },
        transactionHash: HASHES[(block + index) % 2] ?? "0x",
        transactionIndex: index * 17,
        logIndex: 2 ** (4 * index),
        isRemoved: (topics + index) % 3 === 0,
      })),
    ),
  );
}
