import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** Registers the module hooks of the program in the process that locates the error. */
const PRELOAD = new URL("./share-in-threads.js", import.meta.url).href;

/**
 * The location of a syntax error in a module, as `/folder/file.mjs:3`.
 *
 * The error of `import()` lacks it; Node.js prints the location of an uncaught error, so another
 * process imports the module. None of its code runs there: a module whose imports cannot all be
 * parsed is never evaluated.
 */
export async function findSyntaxError(error: unknown, url: string): Promise<string | undefined> {
  if (!(error instanceof SyntaxError)) return undefined;
  const program = `import ${JSON.stringify(url)};`;
  const words = ["--import", PRELOAD, "--input-type=module", "--eval", program];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
  const [, file, line] = /^(file:\/\/.*):(\d+)$/m.exec(await text(child.stderr)) ?? [];
  return file === undefined ? undefined : `${fileURLToPath(file)}:${line}`;
}
