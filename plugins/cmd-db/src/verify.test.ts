import { type AnyCommand, createNode, runCommand, silentLogs } from "@plinth/core";
import { DEV_GENESIS, devChain } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import cmdDb from "./index.js";
import { verify } from "./verify.js";

async function run(signal?: AbortSignal): Promise<readonly string[]> {
  const node = await createNode({
    plugins: [cmdDb, ...devChain],
    options: { keyValueStorage: "memory" },
    genesis: DEV_GENESIS,
  });
  const lines: string[] = [];
  const io = { read: async () => "", write: async (text: string) => void lines.push(text) };
  const input = { flags: {}, args: [], io, log: silentLogs.for("test") };
  await runCommand(node, verify as AnyCommand, { ...input, ...(signal && { signal }) });
  return lines;
}

describe("db verify", () => {
  it("says what it looked at when all is well", async () => {
    expect(await run()).toEqual([
      expect.stringMatching(
        /^Whole: blocks 0 to 0, and the state of block 0 \(0x[0-9a-f]{64}\)\.$/,
      ),
    ]);
  });

  it("does not say that all is well when it was stopped", async () => {
    await expect(run(AbortSignal.abort())).rejects.toMatchObject({ code: "DATABASE_UNVERIFIED" });
  });
});
