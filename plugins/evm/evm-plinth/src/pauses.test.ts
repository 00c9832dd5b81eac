import { createTestNode, DEV_GENESIS, MAX_SLICE_MS, measureSlices } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { TimeLimit } from "./time-limit.js";

const genesis = {
  ...DEV_GENESIS,
  gasLimit: "0x1fffffffffffff",
  config: { ...DEV_GENESIS.config, shanghaiTime: 0, cancunTime: 0, pragueTime: 0 },
};
/** Of one run, since blocks of these tests are executed a second time to verify them. */
const options = { devPeriodSeconds: 3600, XverifyOwnBlocks: false };

describe("a transaction that takes long", () => {
  it.each([
    ["a loop", "0x5b5f56", 20_000_000n],
    ["contracts that are created in a loop", "0x5b6160005f5ff0505f56"],
    ["calls that nest ever deeper", "0x5f5f5f5f5f305af15f5f5f5f5f305af100"],
    ["copies of 256 KiB", "0x5b620400005f5f37600056", 400_000_000n],
    ["hashes of 64 KiB", "0x5b620100005f20505f56", 20_000_000n],
    ["writes to storage", "0x5b5a5a555f56", 20_000_000n],
  ])(
    "lets others run while it is put into a block: %s",
    { timeout: 60_000 },
    async (_, data, gasLimit = 2_000_000n) => {
      await using node = await createTestNode({ genesis, options });

      const slices = await measureSlices(async () => {
        await node.mine([{ nonce: 0, data, gasLimit }]);
      });

      expect(slices[0]).toBeLessThan(MAX_SLICE_MS);
    },
  );
});

describe("the limit of a run", () => {
  it("does not include the time in which others run", async () => {
    const limit = new TimeLimit();
    limit.start({ maxMs: 40, yields: true });
    setImmediate(() => {
      const end = performance.now() + 60;
      while (performance.now() < end);
    });

    await limit.pause();

    expect(limit.isWatched).toBe(true);
    expect(() => limit.verify()).not.toThrow();
  });

  it("is not checked for a run that neither ends nor pauses", () => {
    const limit = new TimeLimit();
    limit.start({});

    expect([limit.isSet, limit.isWatched, limit.isPauseDue]).toEqual([false, false, false]);
  });
});
