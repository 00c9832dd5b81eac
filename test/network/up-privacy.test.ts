import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ROOT, runProgram } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "./network-node.js";
import { endingNodes, listNodes, ProgramProcess } from "./program-process.js";

const MAIN = join(ROOT, "examples/private-transactions/main.mjs");
const LIMIT_MS = 120_000;

describe("plinth up --privacy", () => {
  it("runs three nodes with managers and the example on them, and adds a fourth of each", {
    timeout: LIMIT_MS,
  }, async () => {
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

    await runProgram([`--data-path=${folder}`, "up", "add-node", "--base-port=0"], {
      folder: place.path,
    });
    const [first, , , fourth] = listNodes(folder).map(({ manager }) => manager);
    if (first === undefined || fourth === undefined) throw new Error("expected four managers");
    for (const [one, other] of [
      [first, fourth],
      [fourth, first],
    ] as const) {
      await until(async () => (await managersOf(one)).includes(other.publicKey), LIMIT_MS);
    }
    expect(await up.end("SIGINT")).toBe(0);
  });
});

/** Keys of the other managers that one knows. */
async function managersOf({ nodePort }: { readonly nodePort: number }): Promise<readonly string[]> {
  const response = await fetch(`http://127.0.0.1:${nodePort}/plinth/status`);
  const { peers } = (await response.json()) as { peers: { keys: string[] }[] };
  return peers.flatMap(({ keys }) => keys);
}
