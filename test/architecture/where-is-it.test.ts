import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findText, repository } from "./source-tree.js";

const PAGE = readFileSync(join(repository, "docs/where-is-it.md"), "utf8");
/** Question, file, symbol. */
const ROWS = [...PAGE.matchAll(/^\| (.+\?) \| `(\S+)` \| `(\w+)` \| .+ \|$/gm)].map((row) =>
  row.slice(1),
);

describe("the page of questions", () => {
  it("has a file and a symbol for each of at least twenty", () => {
    const questions = PAGE.split("\n").filter((line) => /^\| .+\? \|/.test(line));

    expect(ROWS.length).toBe(questions.length);
    expect(ROWS.length).toBeGreaterThanOrEqual(20);
  });

  it.each(ROWS)("%s", (_, file = "", symbol = "") => {
    const code = findText(repository, file)?.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");

    expect(code).toMatch(
      new RegExp(`(class|function|const|interface|type) ${symbol}\\b|^  #${symbol}\\(`, "m"),
    );
  });
});
