import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findFiles, findFolders, repository } from "./source-tree.js";

/** The most lines that the sources of an area may have, without tests; docs/adr/0025 says why. */
const LIMITS: Readonly<Record<string, number>> = {
  blocks: 1650,
  chain: 7200,
  cli: 150,
  codec: 580,
  consensus: 730,
  evm: 520,
  kernel: 2910,
  manifest: 385,
  network: 1350,
  node: 4330,
  pool: 2400,
  primitives: 1000,
  query: 650,
  rpc: 1900,
  storage: 750,
  testing: 850,
  worker: 1700,
};

it("every area of the core keeps within its limit", () => {
  const areas = findFolders(repository, "core/src");
  const sizes = areas.map((area) => [area, countLines(`core/src/${area}`)] as const);

  expect(areas).toEqual(Object.keys(LIMITS));
  expect(sizes.filter(([area, lines]) => lines > (LIMITS[area] ?? 0))).toEqual([]);
});

function countLines(folder: string): number {
  const sources = findFiles(repository, folder).filter((path) => !/\.test(-d)?\.ts$/.test(path));
  return sources
    .map((path) => readFileSync(join(repository, path), "utf8").split("\n").length - 1)
    .reduce((sum, lines) => sum + lines, 0);
}
