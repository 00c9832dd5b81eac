import { describe, expect, it } from "vitest";
import { STANDSTILLS, stallNetwork } from "../support/standstills.js";

const LIMIT_MS = 120_000;

describe("a stalled network", () => {
  it.each(Object.keys(STANDSTILLS))(
    "because %s reports it",
    async (name) => {
      await using stalled = await stallNetwork(name);

      for (const text of stalled.expected) expect(stalled.status).toContain(text);
    },
    LIMIT_MS,
  );
});
