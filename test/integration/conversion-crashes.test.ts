import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createDice } from "../support/mutate.js";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- crashes` kills it fifty times. */
const CRASHES = Number(process.env.PLINTH_CONVERSION_CRASHES ?? 1);
const SEED = Number(process.env.PLINTH_SEED ?? 1);
/** About seven batches of the conversion; three in a short run. */
const VALUES = process.env.PLINTH_CONVERSION_CRASHES === undefined ? 20_000 : 50_000;
/** A batch takes about as long. */
const MAX_DELAY_MS = 40;
const PROGRAM = join(ROOT, "test/support/old-database.mjs");

describe("the conversion of a database of format 1", () => {
  it(
    `continues after kill -9, ${CRASHES} times`,
    async () => {
      const dice = createDice(SEED);
      let crashes = 0;
      while (crashes < CRASHES) {
        using folder = temporaryFolder();
        await run("write", folder.path);

        while (await isKilled(folder.path, { batches: dice(3), delayMs: dice(MAX_DELAY_MS) })) {
          crashes += 1;
        }

        expect(await run("verify", folder.path)).toBe(String(VALUES));
      }
      process.stdout.write(`${crashes} kills during a conversion\n`);
    },
    60_000 + CRASHES * 10_000,
  );
});

/**
 * Converts the database until this many batches are written and the time is up; `false` if it was
 * done before.
 */
async function isKilled(
  dataPath: string,
  { batches, delayMs }: { readonly batches: number; readonly delayMs: number },
): Promise<boolean> {
  const child = start("convert", dataPath);
  const closed = once(child, "close");
  let written = 0;
  for await (const _line of createInterface({ input: child.stdout })) {
    written += 1;
    if (written === batches + 1) setTimeout(() => child.kill("SIGKILL"), delayMs);
  }
  const [code, signal] = await closed;
  expect(signal ?? code).toBe(signal === null ? 0 : "SIGKILL");
  return signal !== null;
}

async function run(what: string, dataPath: string): Promise<string> {
  const child = start(what, dataPath);
  const closed = once(child, "close");
  const printed = await text(child.stdout);
  const [code] = await closed;
  expect(code).toBe(0);
  return printed;
}

function start(what: string, dataPath: string): ChildProcess & { stdout: NodeJS.ReadableStream } {
  return spawn(process.execPath, [PROGRAM, what, dataPath, String(VALUES)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}
