import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formatApiReport } from "../support/api-report.js";
import { readPublicEntries } from "../support/public-api.js";
import { findFiles, repository } from "./source-tree.js";

const CONTRACT = "core/contract";

it("the contract exports every type that its declarations reference", () => {
  const entries = readPublicEntries(join(repository, CONTRACT));
  const offered = new Set(entries.flatMap(({ names }) => names.map(({ name }) => name)));
  const report = formatApiReport(join(repository, CONTRACT));
  const mentioned = new Set(report.match(/\b[A-Z]\w*\b/g));

  const missing = findExportedTypes().filter((name) => mentioned.has(name) && !offered.has(name));

  expect(missing).toEqual([]);
});

it("the main entry references all others, so that TypeScript finds their types", () => {
  const sources = readPublicEntries(join(repository, CONTRACT)).map(({ source }) => source);
  const main = readFileSync(join(repository, CONTRACT, "src/index.ts"), "utf8");
  const found = [...main.matchAll(/^export type \{\} from "\.\/(.+)\.js";$/gm)];

  expect(found.map(([, path]) => `./src/${path}.ts`)).toEqual(
    sources.filter((source) => source !== "./src/index.ts"),
  );
});

function findExportedTypes(): readonly string[] {
  const sources = findFiles(repository, `${CONTRACT}/src`).filter(
    (path) => /\.ts$/.test(path) && !/\.(test(-d)?|d)\.ts$/.test(path),
  );
  return sources.flatMap((path) =>
    [
      ...readFileSync(join(repository, path), "utf8").matchAll(
        /^export (?:abstract )?(?:interface|type|class) (\w+)/gm,
      ),
    ].map(([, name = ""]) => name),
  );
}
