import { describe, expect, it } from "vitest";
import { readBlocksRetained, readHistory } from "./pruning-settings.js";

describe("Besu's names of options that remove data", () => {
  it.each([
    [{ history: "all", bonsaiLimitTrieLogsEnabled: false }, undefined],
    [{ history: "all", bonsaiLimitTrieLogsEnabled: true }, 600],
    [{ history: "700", bonsaiLimitTrieLogsEnabled: false }, 700],
  ])("limit states with %o to %s", (options, expected) => {
    expect(readHistory({ ...options, bonsaiHistoricalBlockLimit: 600 })).toBe(expected);
  });

  it.each([
    [{ blocksRetained: "all", XchainPruningEnabled: false }, undefined],
    [{ blocksRetained: "all", XchainPruningEnabled: true }, 8000],
    [{ blocksRetained: "2000", XchainPruningEnabled: false }, 2000],
  ])("limit blocks with %o to %s", (options, expected) => {
    expect(readBlocksRetained({ ...options, XchainPruningBlocksRetained: 8000 })).toBe(expected);
  });
});
