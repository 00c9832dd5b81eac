import { describe, expect, it } from "vitest";
import { compareWithBesu } from "../support/besu-networks.js";

const LIMIT_MS = 120_000;

/** Skipped cases, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  clique_getSignerMetrics: "belongs to a namespace of another engine",
  qbft_getSignerMetrics: "belongs to a namespace of another engine",
};

describe("the chain of a running IBFT 2.0 network of Besu", () => {
  it(
    "is imported, and every recorded response matches ours in mode besu",
    async () => {
      const compared = await compareWithBesu({
        name: "ibft2-votes",
        api: "IBFT",
        leftOut: LEFT_OUT,
      });

      expect(compared).toEqual({ head: "0x55", asked: 328, wrong: [] });
    },
    LIMIT_MS,
  );
});
