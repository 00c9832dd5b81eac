import { expect, it } from "vitest";
import type { SealedBlock } from "../blocks/block.js";
import { formatProduced } from "./produced-line.js";

it("a produced block is logged like Besu does", () => {
  const header = { number: 1_234n, gasUsed: 42_000n, gasLimit: 30_000_000n, hash: "0xab" };
  const block = { header, body: { transactions: [1, 2], uncles: [] } } as unknown as SealedBlock;

  expect(formatProduced(block, { buildMs: 12, sealMs: 300, commitMs: 8 })).toBe(
    "Produced #1,234 / 2 tx / 0 om / 42,000 (0.1%) gas / (0xab) in 0.320s / Timing(build=12ms, seal=300ms, commit=8ms)",
  );
});
