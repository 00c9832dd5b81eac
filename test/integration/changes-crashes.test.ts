import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- changes` kills it 300 times. */
const CRASHES = Number(process.env.PLINTH_CHANGES_CRASHES ?? 2);
/** Maximum time it works before it is killed. */
const MAX_WORK_MS = 300;
const PROGRAM = join(ROOT, "test/support/changes-chain.mjs");

describe("a node that is killed while its chain changes", () => {
  it(
    `has a record of every change, and none twice, ${CRASHES} times`,
    async () => {
      using folder = temporaryFolder();
      let known: readonly string[] = [];
      let stream: string | undefined;
      for (let crash = 0; crash < CRASHES; crash++) {
        await workAndCrash(folder.path, crash);
        const { code, stdout, stderr } = await run(["read", folder.path]);
        expect([code, stderr]).toEqual([0, ""]);
        const { id, hashes } = JSON.parse(stdout);

        // What a reader has seen does not change.
        expect(id).toBe(stream ?? id);
        expect(hashes.slice(0, known.length)).toEqual(known);
        expect(hashes.length).toBeGreaterThan(known.length);
        known = hashes;
        stream = id;
      }
    },
    CRASHES * 20_000,
  );
});

async function workAndCrash(folder: string, seed: number): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, "work", folder, String(seed)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  await Promise.race([once(child.stdout, "data"), closed]);
  const timer = setTimeout(() => child.kill("SIGKILL"), Math.random() * MAX_WORK_MS);
  const [, signal] = await closed;
  clearTimeout(timer);
  expect(signal).toBe("SIGKILL");
}

async function run(words: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: "pipe" });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, ...texts };
}
