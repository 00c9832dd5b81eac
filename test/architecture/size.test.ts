import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFiles, findFolders, findKits, findPlugins, repository } from "./source-tree.js";

/**
 * Maximum number of lines of each package of the core, without tests, comments and blank lines;
 * docs/adr/0031 has the reasons.
 */
const MAX_LINES: Readonly<Record<string, number>> = {
  chain: 12_915,
  contract: 11_400,
  node: 7_500,
};
/** Maximum number of exports of `@plinth/core`. */
const MAX_NAMES = 150;
/** Maximum number of files in one folder, without tests. */
const MAX_FILES = 20;
/** Folders that are lists, with a file for each item. */
const LISTS = /\/(methods|tracers|opcodes)$/;

describe("the core", () => {
  it("keeps each of its packages within its limit", () => {
    const packages = findFolders(repository, "core");
    const sizes = packages.map((name) => [name, countLines(`core/${name}/src`)] as const);

    expect(packages).toEqual(Object.keys(MAX_LINES));
    expect(sizes.filter(([name, lines]) => lines > (MAX_LINES[name] ?? 0))).toEqual([]);
  });

  it("keeps the main entry of the contract within its limit", () => {
    const entry = readFileSync(join(repository, "core/contract/src/index.ts"), "utf8");
    const names = [...entry.matchAll(/export (?:type )?\{([^}]+)\}/g)].flatMap(([, list = ""]) =>
      list.split(",").filter((name) => name.trim() !== ""),
    );

    expect(names.length).toBeLessThanOrEqual(MAX_NAMES);
  });
});

it("no folder has more files than a reader can take in at once", () => {
  const packages = [
    ...findFolders(repository, "core").map((name) => `core/${name}`),
    ...findPlugins(repository),
    ...findKits(repository),
  ];
  const crowded = packages
    .flatMap((folder) => countFiles(`${folder}/src`))
    .filter(([folder, files]) => files > MAX_FILES && !LISTS.test(folder));

  expect(crowded).toEqual([]);
});

/** The sources of a folder, without tests and declarations of what is not written in TypeScript. */
function findSources(folder: string): readonly string[] {
  return findFiles(repository, folder).filter(
    (path) => /\.ts$/.test(path) && !/\.(test(-d)?|d)\.ts$/.test(path),
  );
}

function countFiles(folder: string): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const path of findSources(folder)) {
    const parent = path.slice(0, path.lastIndexOf("/"));
    counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  return [...counts];
}

function countLines(folder: string): number {
  return findSources(folder)
    .map((path) => readFileSync(join(repository, path), "utf8"))
    .flatMap((text) => text.replaceAll(/\/\*[\s\S]*?\*\//g, "").split("\n"))
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}
