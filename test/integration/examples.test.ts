import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, runProgram, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const MINIMAL = join(ROOT, "examples/minimal-node");

describe("examples/minimal-node", () => {
  it("answers with eight plugins and offers nothing else", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(
      [`--config-file=${MINIMAL}/plinth.toml`, `--genesis-file=${MINIMAL}/genesis.json`],
      { folder: folder.path },
    );

    expect(await node.rpc("eth_chainId")).toBe("0x7ea");
    expect(await node.rpc("rpc_modules")).toEqual({ eth: "1.0", net: "1.0", web3: "1.0" });
  });

  it("has the plugins that its file names", async () => {
    using folder = temporaryFolder();
    const words = [`--config-file=${MINIMAL}/plinth.toml`, "plugins", "order"];
    const { stdout } = await runProgram(words, { folder: folder.path });

    expect(stdout.trimEnd().split("\n")).toHaveLength(8);
  });
});

describe("examples/embedded-node", () => {
  it("asks its own node two questions", () => {
    const main = join(ROOT, "examples/embedded-node/main.mjs");

    expect(execFileSync(process.execPath, [main], { encoding: "utf8" })).toBe(
      "1: 0x7ea\n2: 0x2a\n",
    );
  });
});
