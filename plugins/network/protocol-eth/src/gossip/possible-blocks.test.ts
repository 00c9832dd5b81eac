import type { Header } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { maxBlockBytes, maxTransactions } from "./possible-blocks.js";

describe("a possible block", () => {
  it("may contain transactions refunded half of their gas, as before London", () => {
    expect(maxTransactions({ gasUsed: 13_003n } as Header)).toBe(1);
    expect(maxTransactions({ gasUsed: 0n } as Header)).toBe(0);
  });

  it("is limited to the bytes that its gas can pay for", () => {
    const large = maxBlockBytes({ gasLimit: 30_000_000n } as Header);

    expect(large).toBeGreaterThan(10 * 2 ** 20);
    expect(maxBlockBytes({ gasLimit: 4_700_000n } as Header)).toBeLessThan(4 * 2 ** 20);
  });
});
