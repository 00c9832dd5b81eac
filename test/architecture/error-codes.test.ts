import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { findFiles, isTest, repository } from "./source-tree.js";

const CODE = /\b(?:\w*Error|super)\(\s*"([A-Z][A-Z_]+)"/g;

describe("docs/reference/errors.md", () => {
  it("lists the error codes of the sources and no others", () => {
    const page = readFileSync(join(ROOT, "docs/reference/errors.md"), "utf8");
    const listed = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    const used = ["core", "cli", "kits", "plugins"]
      .flatMap((folder) => findFiles(repository, folder))
      .filter((path) => path.endsWith(".ts") && !isTest(path))
      .flatMap((path) => [...readFileSync(join(ROOT, path), "utf8").matchAll(CODE)])
      .map(([, code]) => code);

    expect(listed).toEqual([...new Set(used)].sort());
  });
});
