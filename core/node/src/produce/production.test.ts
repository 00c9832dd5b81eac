import { InvariantError, StorageError } from "@plinth/core";
import { PluginError } from "@plinth/core/kernel";
import { FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { Production } from "./production.js";

/** Production that fails with each of these, and then continues until it is stopped. */
function aProduction(...errors: readonly unknown[]) {
  const clock = new FakeClock(0);
  const logs = recordLogs();
  const left = [...errors];
  const fatal: unknown[] = [];
  const starts: number[] = [];
  const production = new Production({
    clock,
    log: logs.for("core"),
    failed: (error) => fatal.push(error),
    produce: async (signal) => {
      starts.push(clock.now());
      if (left.length > 0) throw left.shift();
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    },
  });
  return { clock, logs, fatal, starts, production };
}

const BOOM = new PluginError("TAP_FAILED", {
  message: "bad failed in chain.commit",
  plugin: "bad",
});

describe("production that fails", () => {
  it("is retried with increasing pauses, and logged once", async () => {
    const { clock, logs, starts, production } = aProduction(BOOM, BOOM, BOOM);

    production.start();
    await clock.advance(20_000);

    expect(starts).toEqual([0, 1000, 3000, 7000]);
    const lines = logs.entries.filter(({ level }) => level === "error");
    expect(lines).toHaveLength(1);
    expect(lines[0]?.message).toContain('without = ["bad"]');
    expect(production.health()).toMatchObject([{ name: "production", status: "degraded" }]);
    await production.stop();
  });

  it("is healthy again once a block is produced", async () => {
    const { clock, logs, production } = aProduction(BOOM);
    production.start();
    await clock.advance(2000);

    production.blockMade();

    expect(production.health()).toEqual([]);
    expect(logs.entries.at(-1)?.message).toBe("block production has resumed");
    await production.stop();
  });

  it.each([
    ["the storage cannot be written", new StorageError("BATCH_FAILED", { message: "full" })],
    ["an invariant is broken", new InvariantError("no checkpoint is open")],
  ])("ends permanently when %s", async (_, error) => {
    const { clock, fatal, starts, production } = aProduction(error);

    production.start();
    await clock.advance(100_000);

    expect(fatal).toEqual([error]);
    expect(starts).toEqual([0]);
    expect(production.isRunning).toBe(false);
  });

  it("can be stopped during a pause", async () => {
    const { clock, starts, production } = aProduction(BOOM);
    production.start();
    await clock.advance(500);

    expect(await production.stop()).toBe(true);
    await clock.advance(60_000);

    expect(starts).toEqual([0]);
  });
});
