import { describe, expect, it } from "vitest";
import { compareWithBesu } from "../support/besu-networks.js";

const LIMIT_MS = 120_000;

/** Skipped cases, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  clique_getSignerMetrics: "belongs to a namespace of another engine",
  ibft_getSignerMetrics: "belongs to a namespace of another engine",
};

describe("chains of running Besu networks", () => {
  it.each([
    ["qbft-votes", "0x68", 365],
    ["qbft-zero-base-fee", "0x9b", 584],
    ["qbft-cancun", "0x24", 254],
    ["qbft-overrides", "0x1e", 158],
  ])(
    "%s is imported, and every recorded response matches ours in mode besu",
    async (name, head, asked) => {
      expect(await compareWithBesu({ name, api: "QBFT", leftOut: LEFT_OUT })).toEqual({
        head,
        asked,
        wrong: [],
      });
    },
    LIMIT_MS,
  );
});
