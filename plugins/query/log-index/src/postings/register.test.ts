import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runtime } from "@plinth/core";
import { type Logs, silentLogs } from "@plinth/core/kernel";
import { createInside, createTestNode, LOG_GENESIS, LOGGER, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import logIndex from "../index.js";

const word = (value: number) => value.toString(16).padStart(64, "0");
const CRITERIA = { addresses: [], topics: [[`0x${word(1)}` as const]] };
const RANGE = { from: 0n, to: 9n };

describe("--log-index-enabled", () => {
  it("is off by default", async () => {
    await using test = await start({});

    expect(test.blocks.logIndex).toBeUndefined();
  });

  it("adds blocks as they arrive, and logs it", async () => {
    const logs = recordLogs();
    await using test = await start({ logIndexEnabled: true }, logs);
    await test.mine(1, 2, 1);
    await test.isComplete(4);

    expect(await test.blocks.logIndex?.find(CRITERIA, RANGE)).toEqual({
      numbers: [1n, 3n],
      next: 4n,
    });
    // An address and two topics for each block.
    expect(test.metrics()).toEqual({
      indexed_blocks: 4,
      postings_total: 9,
      lookups_total: 1,
    });
    const logged = () =>
      logs.entries.filter(({ logger, level }) => logger === "log-index" && level === "info");
    while (logged().length === 0) await new Promise(setImmediate);
    expect(logged().map(({ message }) => message)).toEqual(["The log index is complete."]);
  });

  it("is not used once the plugin is disabled, and detects the gap when it is enabled again", async () => {
    await using test = await start({ logIndexEnabled: true });
    await test.mine(1);
    await test.isComplete(2);
    const source = test.blocks.logIndex;
    const version = source?.version;

    await test.node.disable("log-index");
    await test.mine(1);

    expect(test.blocks.logIndex).toBeUndefined();
    expect(source?.version).not.toBe(version);
    expect(await source?.find(CRITERIA, { from: 2n, to: 2n })).toMatchObject({
      numbers: undefined,
    });
  });
});

async function start(options: object, logs: Logs = silentLogs) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-test-"));
  const inside = createInside();
  const node = await createTestNode({
    plugins: [logIndex, inside.plugin],
    genesis: LOG_GENESIS,
    logs,
    options: { dataPath: folder, devPeriodSeconds: 3600, ...options },
  });
  const { blocks } = node.node;
  const metrics = () => metricsOf(inside.runtime());
  return {
    node,
    blocks,
    metrics,
    async isComplete(count: number) {
      while (metrics().indexed_blocks !== count) await new Promise(setImmediate);
    },
    mine: (...topics: readonly number[]) =>
      node.mine(
        ...topics.map((topic) => [
          { to: LOGGER, data: word(topic) + word(topic), gasLimit: 100_000n },
        ]),
      ),
    async [Symbol.asyncDispose]() {
      await node.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The sum of every metric of the plugin. */
function metricsOf({ metrics }: Runtime): Record<string, number> {
  const families = metrics.collect().filter(({ plugin }) => plugin === "log-index");
  return Object.fromEntries(
    families.map(({ name, samples }) => [
      name.replace("plinth_log_index_", ""),
      samples.reduce((sum, { value }) => sum + value, 0),
    ]),
  );
}
