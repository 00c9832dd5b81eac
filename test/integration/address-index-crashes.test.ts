import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- address-index` kills it fifty times. */
const CRASHES = Number(process.env.PLINTH_ADDRESS_CRASHES ?? 1);
/** Maximum time it works before it is killed. */
const MAX_WORK_MS = 1000;
const PROGRAM = join(ROOT, "test/support/address-chain.mjs");

describe("a node that is killed while it indexes addresses", () => {
  it(
    `has the index of its chain, ${CRASHES} times`,
    async () => {
      using folder = temporaryFolder();
      for (let crash = 0; crash < CRASHES; crash++) {
        // Now and then the index is off: the next node must detect what it missed.
        const words = crash % 4 === 3 ? [] : ["index"];
        await workAndCrash([folder.path, String(crash), ...words]);
        const { code, stdout, stderr } = await run(["verify", folder.path, String(crash)]);
        expect([code, stderr]).toEqual([0, ""]);
        expect(JSON.parse(stdout).entries).toBeGreaterThan(0);
      }
    },
    CRASHES * 20_000,
  );
});

async function workAndCrash(words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, "work", ...words], {
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
