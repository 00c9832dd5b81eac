import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin } from "@plinth/core";
import type { AnyCommand } from "@plinth/core/cli";
import { silentLogs } from "@plinth/core/kernel";
import { createNode, runCommand } from "@plinth/node";
import { createTestNode, devChain, LOG_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import logIndex from "./index.js";
import { registerBloomCache } from "./register.js";

describe("operator generate-log-bloom-cache", () => {
  it("writes complete files and reports their number", async () => {
    const { lines, files } = await run({ startBlock: 0 });

    expect(lines).toEqual(["Blocks 0 to 0: 1 complete cache files."]);
    expect(files).toEqual(["CACHE_METADATA.json", "PLINTH_SEALS.json", "logBloom-0.cache"]);
  });

  it.each([
    [{ startBlock: 1 }, "START_BLOCK_INVALID", "Start block must be an even increment of 2"],
    [
      { startBlock: 0, endBlock: 5 },
      "END_BLOCK_INVALID",
      "--end-block is 5; expected at most 0, the number of the head block",
    ],
  ])("rejects %j", async (flags, code, message) => {
    await expect(run(flags, 2)).rejects.toMatchObject({ code, message });
  });

  it("reports that it was stopped", async () => {
    const stop = new AbortController();

    await expect(run({ startBlock: 0 }, 1, stop)).rejects.toMatchObject({
      code: "GENERATION_STOPPED",
    });
  });

  it("is a command of the plugin", async () => {
    await using node = await createTestNode({ plugins: [logIndex] });

    expect(node.node.commands().map(({ item }) => item.id)).toContain(
      "operator generate-log-bloom-cache",
    );
  });
});

/** Runs the command on a chain of one block; `stop` is aborted when it shows its progress. */
async function run(flags: object, segmentBlocks = 1, stop?: AbortController) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-test-"));
  try {
    const plugin = definePlugin({
      name: "log-index",
      setup: (node) => registerBloomCache(node, { isAutomatic: false, segmentBlocks }),
    });
    const node = await createNode({
      plugins: [plugin, ...devChain],
      options: { keyValueStorage: "memory", dataPath: folder },
      genesis: LOG_GENESIS,
    });
    const lines: string[] = [];
    const io = {
      read: async () => "",
      warn() {},
      write: async (text: string) => void lines.push(text),
      status: { columns: 80, show: () => stop?.abort(), clear() {} },
    };
    const input = { flags: { ...flags }, args: [], io, log: silentLogs.for("test") };
    const command = node.commands().find(({ plugin }) => plugin === "log-index")?.item;
    await runCommand(node, command as AnyCommand, {
      ...input,
      ...(stop && { signal: stop.signal }),
    });
    return { lines, files: readdirSync(join(folder, "caches")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
