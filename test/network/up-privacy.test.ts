import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ROOT, runProgram } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { endingNodes, ProgramProcess } from "./program-process.js";

const MAIN = join(ROOT, "examples/private-transactions/main.mjs");
const LIMIT_MS = 120_000;

describe("plinth up --privacy", () => {
  it("runs three nodes with managers, and the example on them", { timeout: LIMIT_MS }, async () => {
    using place = temporaryFolder();
    const folder = `${realpathSync(place.path)}/network`;
    await using _nodes = endingNodes(folder);
    const words = ["up", `--data-path=${folder}`, "--privacy", "--period=1", "--base-port=0"];
    await using up = ProgramProcess.start(words, dirname(folder));
    await up.printed("block 2 ");

    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, folder]);
    const status = await runProgram([`--data-path=${folder}/node1/data`, "privacy", "status"], {
      folder: place.path,
    });

    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^contract 0x[0-9a-f]{40} of group .{43}=$/),
      expect.stringMatching(/^stored with status 1 in block \d+$/),
      "node1 reads 42",
      "node2 reads 42",
      "node3 reads nothing",
    ]);
    expect(status.stdout).toMatch(/^Private transactions are fetched up to block \d+ of \d+\./);
    expect(status.code).toBe(0);
    expect(await up.end("SIGINT")).toBe(0);
  });
});
