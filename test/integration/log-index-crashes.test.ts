import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- crashes` kills it fifty times. */
const CRASHES = Number(process.env.PLINTH_LOG_CRASHES ?? 1);
/** Maximum time it works before it is killed. */
const MAX_WORK_MS = 1500;
const PROGRAM = join(ROOT, "test/support/log-chain.mjs");

/** Which of them is active: the next one must detect what a previous one missed. */
const KEEPERS = [["index", "blooms"], ["index"], ["index", "blooms"], ["blooms"], []];

describe("a node that is killed while it writes logs", () => {
  it(
    `has files and an index of its chain, ${CRASHES} times`,
    async () => {
      using folder = temporaryFolder();
      let total = 0;
      for (let crash = 0; crash < CRASHES; crash++) {
        const words = KEEPERS[crash % KEEPERS.length] ?? [];
        // Every third one is killed at any moment from its start on, the rest under load.
        await workAndCrash(folder.path, [String(crash), ...words], crash % 3 === 2);
        const { code, stdout, stderr } = await run("verify", folder.path, [String(crash)]);
        expect(stderr).toBe("");
        expect(code).toBe(0);
        const { found, files } = JSON.parse(stdout);
        total += found;
        expect(files).toBeGreaterThan(0);
      }
      expect(total).toBeGreaterThan(0);
    },
    CRASHES * 20_000,
  );
});

describe("the command that writes cache files", () => {
  it("writes the same bytes as a node", async () => {
    using folder = temporaryFolder();
    expect(await run("work", folder.path, ["1", "blooms", "blocks=80"])).toMatchObject({ code: 0 });
    const byItself = readFiles(folder.path);
    rmSync(join(folder.path, "caches"), { recursive: true });

    const { stdout, code } = await run("generate", folder.path);

    expect(code).toBe(0);
    expect(stdout).toContain("5 complete cache files");
    // The last one is incomplete, and only a node writes it.
    const { "logBloom-5.cache": last, ...whole } = byItself;
    expect(last).toHaveLength(256);
    expect(Object.keys(whole)).toHaveLength(7);
    expect(readFiles(folder.path)).toEqual(whole);
  });
});

async function workAndCrash(
  folder: string,
  words: readonly string[],
  isAtStart: boolean,
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, "work", folder, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  if (!isAtStart) await Promise.race([once(child.stdout, "data"), closed]);
  const timer = setTimeout(() => child.kill("SIGKILL"), Math.random() * MAX_WORK_MS);
  const [, signal] = await closed;
  clearTimeout(timer);
  expect(signal).toBe("SIGKILL");
}

async function run(what: string, folder: string, words: readonly string[] = []) {
  const child = spawn(process.execPath, [PROGRAM, what, folder, ...words], { stdio: "pipe" });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, ...texts };
}

function readFiles(folder: string): Record<string, Buffer> {
  const caches = join(folder, "caches");
  return Object.fromEntries(
    readdirSync(caches).map((name) => [name, readFileSync(join(caches, name))]),
  );
}
