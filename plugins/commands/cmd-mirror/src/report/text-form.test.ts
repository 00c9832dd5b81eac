import { describe, expect, it } from "vitest";
import { TEXT_FORM } from "./text-form.js";
import { exitCodeOf, type Verdict } from "./verdict.js";

const HASH = `0x${"11".repeat(32)}` as const;
const nothing: Verdict = { blocks: 0, transactions: 0, differences: 0, differingBlocks: 0 };
const equal: Verdict = { ...nothing, blocks: 1000, transactions: 1, first: 1n, last: 1000n };
const different: Verdict = { ...equal, differences: 3, differingBlocks: 1, firstDifference: 7n };

describe("the report for people", () => {
  it.each<[Verdict, number, string]>([
    [nothing, 0, "Verdict: no block was executed"],
    [equal, 0, "Verdict: no difference in 1,000 blocks with 1 transaction (1 to 1000, 2.0 s)"],
    [
      different,
      3,
      "Verdict: 3 differences in 1 block of 1,000 blocks with 1 transaction (1 to 1000, 2.0 s), the first in block 7",
    ],
    [
      { ...nothing, failure: "it is gone" },
      4,
      "The node failed: it is gone\nVerdict: no block was executed",
    ],
    [{ ...different, failure: "it is gone" }, 3, "the first in block 7"],
  ])("has a verdict, with its exit code", (verdict, code, text) => {
    expect(TEXT_FORM.verdict(verdict, 2)).toContain(text);
    expect(exitCodeOf(verdict)).toBe(code);
  });

  it("names the place of a difference, and cuts long values", () => {
    const place = { block: 7n, blockHash: HASH, transaction: { hash: HASH, index: 2 } };
    const values = { network: "a".repeat(500), here: "b" };

    const line = TEXT_FORM.difference({ ...place, field: "logsBloom", ...values });

    expect(line).toBe(
      `block 7, transaction 2 (${HASH}): logsBloom: network ${"a".repeat(140)}…, here b`,
    );
  });

  it("shows how far it is", () => {
    const position = { number: 1_200n, target: 1_300n, rate: 99.7, differences: 1 };

    expect(TEXT_FORM.status(position)).toBe(
      "block 1,200 · 100 behind · 100 blocks/s · 1 difference",
    );
  });
});
