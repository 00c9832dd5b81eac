import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";

const { readReleases, renderBenchmarks } = await import(
  join(ROOT, "test/performance/save-results.mjs")
);
const rendered: Readonly<Record<string, string>> = renderBenchmarks(readReleases());

describe("the page of benchmarks", () => {
  it.each(Object.entries(rendered))("follows from the figures: %s", (name, text) => {
    expect(readFileSync(join(ROOT, "docs/benchmarks", name), "utf8")).toBe(text);
  });

  it("has a release with figures", () => {
    expect(Object.keys(rendered)).toContain("0.1.0.svg");
    expect(rendered["index.md"]).toMatch(/^\| .* \| \d+\.\d\d \| .* \|$/m);
  });
});
