import { describe, expect, it } from "vitest";
import { checkFaces } from "./check-faces.js";
import { fixture, repository } from "./source-tree.js";

describe("the plugins of the repository", () => {
  it("all have the same layout", () => {
    expect(checkFaces(repository)).toEqual([]);
  });
});

describe("the check of the layout", () => {
  it("accepts plugins and kits with the right layout", () => {
    expect(checkFaces(fixture("faces-clean"))).toEqual([]);
  });

  it("reports everything a plugin lacks", () => {
    expect(checkFaces(fixture("faces-empty"))).toEqual([
      "plugins/kind/a: has no package.json",
      "plugins/kind/a: has no src/index.ts",
      "plugins/kind/a: has no README.md",
      "plugins/kind/a: has no test of its own",
    ]);
  });

  it("reports invalid parts of a manifest", () => {
    expect(checkFaces(fixture("faces-manifest"))).toEqual([
      "plugins/kind/a: is named @plinth/a, not @plinth/plugin-a",
      "plugins/kind/a: is not under Apache-2.0",
      "plugins/kind/a: is not an ES module",
      "plugins/kind/a: has no peer @plinth/core",
      "plugins/kind/a: brings a core of its own",
      "plugins/kind/a: depends on @plinth/core ^0.1.0, not on one version",
      "plugins/kind/a: depends on fastify ~5.12.8, not on one version",
      "plugins/kind/a: does not export . as all do",
      "plugins/kind/a: does not export ./api as all do",
      "plugins/kind/a: does not export ./package.json as all do",
      "plugins/kind/a: exports ./routes",
    ]);
  });

  it("reports what does not belong in an index", () => {
    expect(checkFaces(fixture("faces-index"))).toEqual([
      "plugins/kind/busy: holds more in src/index.ts than the plugin",
      "plugins/kind/other: does not export a plugin by default",
      "plugins/kind/other: holds more in src/index.ts than the plugin",
      "kits/kit-a: has a default export, but is a kit",
      "kits/kit-a: exports nothing by name",
    ]);
  });
});
