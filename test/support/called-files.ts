import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { SourceMap } from "node:module";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./program.js";

/** The files of which a function is called during some work. */
export async function filesOf(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return new Set(
    result
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .map(({ url }) =>
        url
          .replace(/^file:\/\//, "")
          .replace(`${ROOT}`, "")
          .replace(/^\//, ""),
      ),
  );
}

/** V8's coverage of a process, written at its end into the folder `NODE_V8_COVERAGE`. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/**
 * The sources of which a function was called in an ended process, by the source maps of the build.
 */
export function filesOfProcess(folder: string): ReadonlySet<string> {
  const scripts = readdirSync(folder).flatMap((name) => {
    const { result }: Coverage = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return result;
  });
  return new Set(
    scripts
      .filter(({ url }) => url.startsWith("file:") && existsSync(`${fileURLToPath(url)}.map`))
      .flatMap(({ url, functions }) => {
        const called = functions
          .map(({ ranges }) => ranges[0])
          .filter((range) => range !== undefined && range.count > 0);
        return sourcesAt(
          fileURLToPath(url),
          called.map((range) => range?.startOffset ?? 0),
        );
      }),
  );
}

/** The sources of some positions in a built file. */
function sourcesAt(file: string, offsets: readonly number[]): readonly string[] {
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  const starts = [0];
  for (const [index, letter] of [...readFileSync(file, "utf8")].entries()) {
    if (letter === "\n") starts.push(index + 1);
  }
  return offsets.flatMap((offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    const entry = map.findEntry(line, offset - (starts[line] ?? 0));
    if (!("originalSource" in entry)) return [];
    return [relative(ROOT, resolve(file, "..", entry.originalSource))];
  });
}
