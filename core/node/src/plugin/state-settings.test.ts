import { expect, it } from "vitest";
import { describeShortProofs } from "./state-settings.js";

it("warns of few blocks that can be removed, unless no block ever is", () => {
  expect(describeShortProofs({ proofBlocks: 1_023 }, { finality: "eventual" })).toBe(
    "--history-proofs-blocks=1023 is low for a chain without instant finality: if its network removes more blocks, this node cannot follow; use at least 1024",
  );
  expect(describeShortProofs({ proofBlocks: 1_024 }, { finality: "eventual" })).toBeUndefined();
  expect(describeShortProofs({ proofBlocks: 1 }, { finality: "instant" })).toBeUndefined();
});
