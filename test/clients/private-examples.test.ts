import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { managersMet } from "../network/managers-met.js";
import { endingNodes, listNodes, ProgramProcess } from "../network/program-process.js";
import { ROOT } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { clientFolder, isMissing } from "./installed.js";

const LIMIT_MS = 120_000;
const EXAMPLES = join(ROOT, "examples/private-transactions");
const GUIDE = join(ROOT, "docs/operators/privacy.md");
const LIBRARIES = ["viem", "ethers", "web3js-quorum"];

describe.skipIf(LIBRARIES.some((library) => isMissing(library)))("private transactions", () => {
  let temporary: TemporaryFolder;
  let place: string;
  let folder: string;
  let up: ProgramProcess | undefined;
  beforeAll(async () => {
    temporary = temporaryFolder();
    place = realpathSync(temporary.path);
    folder = join(place, "network");
    const words = ["up", `--data-path=${folder}`, "--privacy", "--period=1", "--base-port=0"];
    up = ProgramProcess.start(words, place);
    await up.printed("block 2 ");
    await managersMet(folder);
  }, LIMIT_MS);
  afterAll(async () => {
    await up?.[Symbol.asyncDispose]();
    await endingNodes(folder)[Symbol.asyncDispose]();
    temporary[Symbol.dispose]();
  }, LIMIT_MS);

  it.concurrent("are sent by the examples", { timeout: LIMIT_MS }, async () => {
    // One after the other: they use the private nonces of one account.
    for (const library of ["viem", "ethers"]) {
      const source = readFileSync(join(EXAMPLES, `${library}.mjs`), "utf8");
      const stdout = await runScript(
        { name: `${library}-example`, library, source, place },
        folder,
      );

      expect(stdout.trimEnd().split("\n")).toEqual([
        expect.stringMatching(/^contract 0x[0-9a-f]{40} of group .{43}=$/),
        expect.stringMatching(/^stored with status 1 in block \d+$/),
        "node1 reads 42",
        "node2 reads 42",
        "node3 reads nothing",
      ]);
    }
  });

  // Each in its own group, and therefore with its own private nonces.
  it.concurrent.each([
    ["viem", 0, [2]],
    ["ethers", 0, [1, 2]],
    ["web3js-quorum", 1, [2]],
  ])(
    "are sent by the script for %s in the guide",
    { timeout: LIMIT_MS },
    async (library, from, to) => {
      const nodes = listNodes(folder);
      const keyOf = (index: number) => nodes[index]?.manager?.publicKey ?? "";
      const url = `http://127.0.0.1:${nodes[from]?.rpcPort}`;
      const source = findScript(`first-${library}.mjs`);

      const script = { name: `${library}-guide`, library, source, place };
      const stdout = await runScript(script, url, keyOf(from), ...to.map(keyOf));

      expect(stdout).toContain("status: '0x1'");
      for (const index of [from, ...to]) expect(stdout).toContain(`'${keyOf(index)}'`);
    },
  );
});

/** A block of the guide that starts with a file name. */
function findScript(name: string): string {
  const text = readFileSync(GUIDE, "utf8");
  const found = new RegExp(`^\`\`\`js\\n// ${name}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`the guide has no ${name}`);
  return found;
}

/**
 * Runs a script where its library is installed, which is not among the packages of the repository.
 */
async function runScript(
  script: {
    readonly name: string;
    readonly library: string;
    readonly source: string;
    readonly place: string;
  },
  ...words: readonly string[]
): Promise<string> {
  const { name, library, source, place } = script;
  const own = join(place, name);
  const path = join(own, "main.mjs");
  mkdirSync(own);
  symlinkSync(join(clientFolder(library), "node_modules"), join(own, "node_modules"));
  writeFileSync(path, source);
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...words]);
  return stdout;
}
