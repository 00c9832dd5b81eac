import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import cmdGenesis from "./index.js";

describe("genesis check", () => {
  it("says that nothing is wrong", async () => {
    const { stdout } = await check(DEV_GENESIS);

    expect(stdout).toBe("genesis.json: nothing is wrong\n");
  });

  it("explains what is wrong and what to do about it", async () => {
    const { stdout, code } = await check({ ...DEV_GENESIS, gasLimit: `0x8${"0".repeat(15)}` });

    expect(stdout).toMatch(
      /^error {3}gasLimit is 9223372036854775808: no block can follow.*\n {2}fix: {2}use 30 million/,
    );
    expect(stdout).toMatch(/a node does not start with it: 1 wrong\n$/);
    expect(code).toBe(1);
  });

  it("warns of gas that is too low for a next block", async () => {
    const { stdout } = await check({ ...DEV_GENESIS, gasLimit: "0x1387" });

    expect(stdout).toMatch(/^warning gasLimit is 4999: no block can follow/);
    expect(stdout).toMatch(/a node starts with it, and warns of 1\n$/);
  });

  it("shows names of others without control characters, in a moment however long they are", async () => {
    const dev = { "\u001b[2J\nkey": 1, ["k".repeat(2_000_000)]: 1 };
    const { stdout } = await check({ ...DEV_GENESIS, config: { ...DEV_GENESIS.config, dev } });

    expect(stdout).toContain("config.dev.\\u001b[2J\\nkey is unknown to this node");
  }, 1000);

  it("finds what stands there twice, however deep", async () => {
    const dev = { periodSeconds: 1, PERIODSECONDS: 2 };
    const transitions = { dev: [{ block: 1, Block: 2 }] };
    const config = { ...DEV_GENESIS.config, dev, transitions };
    const { stdout } = await check({ ...DEV_GENESIS, config });

    expect(stdout).toContain(
      "config.dev.periodSeconds occurs more than once: periodSeconds, PERIODSECONDS;",
    );
  });

  it("prints a list for programs", async () => {
    const { stdout } = await check(
      { ...DEV_GENESIS, config: { londonBlock: 0, dev: {} } },
      { json: true },
    );

    expect(JSON.parse(stdout)).toMatchObject([{ severity: "warning", key: "config.chainId" }]);
  });

  it("refuses what is no JSON", async () => {
    await using node = await createTestNode({ plugins: [cmdGenesis] });
    const files = { "genesis.json": "{" };

    await expect(node.command("genesis check", { args: ["genesis.json"], files })).rejects.toThrow(
      "genesis.json is not JSON",
    );
  });
});

async function check(genesis: object, flags: Readonly<Record<string, unknown>> = {}) {
  await using node = await createTestNode({ plugins: [cmdGenesis] });
  const files = { "genesis.json": JSON.stringify(genesis) };
  return node.command("genesis check", { args: ["genesis.json"], flags, files });
}
