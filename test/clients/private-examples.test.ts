import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { managersMet } from "../network/managers-met.js";
import { endingNodes, ProgramProcess } from "../network/program-process.js";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { clientFolder, isMissing } from "./installed.js";

const EXAMPLES = join(ROOT, "examples/private-transactions");
const LIBRARIES = ["viem", "ethers"];

describe.skipIf(LIBRARIES.some((library) => isMissing(library)))(
  "examples/private-transactions",
  () => {
    it("signs and sends with viem and with ethers", { timeout: 120_000 }, async () => {
      using place = temporaryFolder();
      const folder = `${realpathSync(place.path)}/network`;
      await using _nodes = endingNodes(folder);
      const words = ["up", `--data-path=${folder}`, "--privacy", "--period=1", "--base-port=0"];
      await using up = ProgramProcess.start(words, dirname(folder));
      await up.printed("block 2 ");
      await managersMet(folder);

      for (const library of LIBRARIES) {
        const { stdout } = await promisify(execFile)(process.execPath, [
          copyExample(library, place.path),
          folder,
        ]);

        expect(stdout.trimEnd().split("\n")).toEqual([
          expect.stringMatching(/^contract 0x[0-9a-f]{40} of group .{43}=$/),
          expect.stringMatching(/^stored with status 1 in block \d+$/),
          "node1 reads 42",
          "node2 reads 42",
          "node3 reads nothing",
        ]);
      }
      expect(await up.end("SIGINT")).toBe(0);
    });
  },
);

/** A copy of an example that finds its library, which is not among the packages of the examples. */
function copyExample(library: string, place: string): string {
  const link = join(place, "node_modules", library);
  const copy = join(place, `${library}.mjs`);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(clientFolder(library), "node_modules", library), link);
  copyFileSync(join(EXAMPLES, `${library}.mjs`), copy);
  return copy;
}
