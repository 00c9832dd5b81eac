import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/program.js";

interface LongSuite {
  readonly name: string;
  readonly summary: string;
  readonly command: string;
}

const { LONG_SUITES }: { readonly LONG_SUITES: readonly LongSuite[] } = await import(
  `${ROOT}/scripts/long-suites.mjs`
);

const { LEFT_TO_LONG_SUITES }: { readonly LEFT_TO_LONG_SUITES: readonly string[] } = await import(
  `${ROOT}/scripts/left-to-long-suites.mjs`
);

it("CONTRIBUTING.md lists the long suites", () => {
  const text = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([\w-]+)` +\| (.+?) +\|$/gm)];

  expect(rows.map(([, name, summary]) => ({ name, summary }))).toEqual(
    LONG_SUITES.map(({ name, summary }) => ({ name, summary })),
  );
});

it("every file that npm test does not run is run by a long suite", () => {
  const paths = LONG_SUITES.flatMap(({ command }) => command.split(" "));
  const isRun = (file: string) => paths.some((path) => path !== "" && file.startsWith(path));

  expect(LEFT_TO_LONG_SUITES.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(LEFT_TO_LONG_SUITES.filter((file) => !isRun(file))).toEqual([]);
});

it.each(LONG_SUITES)("the long suite $name runs existing files", ({ command }) => {
  const paths = command.split(" ").filter((word) => /^(test|plugins|core|scripts)\//.test(word));

  expect(paths.filter((path) => !existsSync(join(ROOT, path)) && !hasBeginning(path))).toEqual([]);
  expect(paths.length).toBeGreaterThan(0);
});

/** vitest accepts path prefixes. */
function hasBeginning(path: string): boolean {
  return (
    existsSync(join(ROOT, `${path}.test.ts`)) || existsSync(join(ROOT, `${path}-load.test.ts`))
  );
}
