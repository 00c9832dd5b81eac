import type { Header } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { verifyDraft } from "./verify-draft.js";

const DRAFT = {
  number: 1n,
  timestamp: 2n ** 64n - 1n,
  gasLimit: 2n ** 63n - 1n,
  difficulty: 1n,
} as Header;

describe("a header being built", () => {
  it("may be at the limits of its fields", () => {
    expect(() => verifyDraft(DRAFT)).not.toThrow();
  });

  it.each([
    ["number", { number: 2n ** 64n }],
    ["timestamp", { timestamp: 2n ** 64n }],
    ["gas-limit", { gasLimit: 2n ** 63n }],
    ["difficulty", { difficulty: 2n ** 256n }],
    ["base-fee", { baseFeePerGas: 2n ** 256n }],
    ["excess-blob-gas", { excessBlobGas: 2n ** 64n }],
  ])("is rejected if its %s is out of range", (rule, field) => {
    expect(() => verifyDraft({ ...DRAFT, ...field })).toThrow(expect.objectContaining({ rule }));
  });
});
