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
const IS_SHORT = process.env.PLINTH_CONVERSION_CRASHES === undefined;

interface Conversion {
  readonly name: string;
  readonly program: string;
  /** The line with which it begins. */
  readonly begins: RegExp;
  /** Every later line is of a batch; zero if batches print nothing. */
  readonly maxLines: number;
  readonly maxDelayMs: number;
  /** About seven batches; fewer in a short run. */
  readonly values: number;
  readonly crashes: number;
}

const CONVERSIONS: readonly Conversion[] = [
  {
    name: "a database of format 1",
    program: "old-database.mjs",
    begins: /./,
    maxLines: 3,
    // A batch takes about as long.
    maxDelayMs: 40,
    values: IS_SHORT ? 20_000 : 50_000,
    crashes: CRASHES,
  },
  {
    name: "a database with the tries of all states",
    program: "forest-database.mjs",
    begins: /^Converting the states/,
    maxLines: 0,
    // About as long as all of it.
    maxDelayMs: IS_SHORT ? 150 : 2_000,
    values: IS_SHORT ? 4_000 : 50_000,
    crashes: Number(process.env.PLINTH_STATE_CONVERSION_CRASHES ?? 1),
  },
];

describe("a conversion", () => {
  it.each(CONVERSIONS)(
    "of $name continues after kill -9, $crashes times",
    async (conversion) => {
      const { maxLines, maxDelayMs } = conversion;
      const dice = createDice(SEED);
      let crashes = 0;
      while (crashes < conversion.crashes) {
        using folder = temporaryFolder();
        const at = { ...conversion, dataPath: folder.path };
        await run("write", at);

        const next = () => ({
          lines: maxLines === 0 ? 0 : dice(maxLines),
          delayMs: dice(maxDelayMs),
        });
        while (crashes < conversion.crashes && (await isKilled(at, next()))) crashes += 1;
        await run("convert", at);

        expect(await run("verify", at)).toBe(String(conversion.values));
      }
      process.stdout.write(`${crashes} kills during a conversion\n`);
    },
    60_000 + CRASHES * 20_000,
  );
});

/** Converts the database until this many lines are printed and the time is up; `false` if it was done before. */
async function isKilled(
  at: Place,
  { lines, delayMs }: { readonly lines: number; readonly delayMs: number },
): Promise<boolean> {
  const child = start("convert", at);
  const closed = once(child, "close");
  let printed = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (printed === 0 && !at.begins.test(line)) continue;
    printed += 1;
    if (printed === lines + 1) setTimeout(() => child.kill("SIGKILL"), delayMs);
  }
  const [code, signal] = await closed;
  expect(signal ?? code).toBe(signal === null ? 0 : "SIGKILL");
  return signal !== null;
}

interface Place extends Pick<Conversion, "program" | "begins" | "values"> {
  readonly dataPath: string;
}

async function run(what: string, at: Place): Promise<string> {
  const child = start(what, at);
  const closed = once(child, "close");
  const printed = await text(child.stdout);
  const [code] = await closed;
  expect(code).toBe(0);
  return printed;
}

function start(
  what: string,
  { program, dataPath, values }: Place,
): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const path = join(ROOT, "test/support", program);
  return spawn(process.execPath, [path, what, dataPath, String(values)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}
