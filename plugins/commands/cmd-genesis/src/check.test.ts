import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import cmdGenesis from "./index.js";

describe("genesis check", () => {
  it("reports that there are no problems", async () => {
    const { stdout } = await check(DEV_GENESIS);

    expect(stdout).toBe("genesis.json: no problems found\n");
  });

  it("explains problems and their fixes", async () => {
    const { stdout, code } = await check({ ...DEV_GENESIS, gasLimit: `0x8${"0".repeat(15)}` });

    expect(stdout).toMatch(
      /^error {3}gasLimit is 9223372036854775808: no block can follow.*\n {2}fix: {2}use 30 million/,
    );
    expect(stdout).toMatch(/a node does not start with it: 1 errors\n$/);
    expect(code).toBe(1);
  });

  it("warns of a gas limit that is too low for a next block", async () => {
    const { stdout } = await check({ ...DEV_GENESIS, gasLimit: "0x1387" });

    expect(stdout).toMatch(/^warning gasLimit is 4999: no block can follow/);
    expect(stdout).toMatch(/a node starts with it, with 1 warnings\n$/);
  });

  it("escapes control characters in foreign names, fast even if they are long", async () => {
    const dev = { "\u001b[2J\nkey": 1, ["k".repeat(2_000_000)]: 1 };
    const { stdout } = await check({ ...DEV_GENESIS, config: { ...DEV_GENESIS.config, dev } });

    expect(stdout).toContain("config.dev.\\u001b[2J\\nkey is unknown to this node");
  }, 1000);

  it("finds duplicate keys at any depth", async () => {
    const dev = { periodSeconds: 1, PERIODSECONDS: 2 };
    const transitions = { dev: [{ block: 1, Block: 2 }] };
    const config = { ...DEV_GENESIS.config, dev, transitions };
    const { stdout } = await check({ ...DEV_GENESIS, config });

    expect(stdout).toContain(
      "config.dev.periodSeconds occurs more than once: periodSeconds, PERIODSECONDS;",
    );
  });

  it("prints a JSON list", async () => {
    const { stdout } = await check(
      { ...DEV_GENESIS, config: { londonBlock: 0, dev: {} } },
      { json: true },
    );

    expect(JSON.parse(stdout)).toMatchObject([{ severity: "warning", key: "config.chainId" }]);
  });

  it("rejects what is not JSON", async () => {
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
