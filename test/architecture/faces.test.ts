import { describe, expect, it } from "vitest";
import { checkFaces } from "./check-faces.js";
import { fixture, repository } from "./source-tree.js";

describe("the plugins of the repository", () => {
  it("all have the same face", () => {
    expect(checkFaces(repository)).toEqual([]);
  });
});

describe("the check of faces", () => {
  it("has nothing against plugins and kits that look as they should", () => {
    expect(checkFaces(fixture("faces-clean"))).toEqual([]);
  });

  it("names everything a plugin leaves out", () => {
    expect(checkFaces(fixture("faces-empty"))).toEqual([
      "plugins/a: has no package.json",
      "plugins/a: has no src/index.ts",
      "plugins/a: has no README.md",
      "plugins/a: has no test of its own",
    ]);
  });

  it("names what is wrong in a manifest", () => {
    expect(checkFaces(fixture("faces-manifest"))).toEqual([
      "plugins/a: is named @plinth/a, not @plinth/plugin-a",
      "plugins/a: is not under Apache-2.0",
      "plugins/a: is not an ES module",
      "plugins/a: has no peer @plinth/core",
      "plugins/a: brings a core of its own",
      "plugins/a: depends on @plinth/core ^0.1.0, not on one version",
      "plugins/a: depends on fastify ~5.12.8, not on one version",
      "plugins/a: does not export . as all do",
      "plugins/a: does not export ./api as all do",
      "plugins/a: does not export ./package.json as all do",
      "plugins/a: exports ./routes",
    ]);
  });

  it("names what does not belong in an index", () => {
    expect(checkFaces(fixture("faces-index"))).toEqual([
      "plugins/busy: holds more in src/index.ts than the plugin",
      "plugins/kit-a: has a default export, but is a kit",
      "plugins/kit-a: exports nothing by name",
      "plugins/other: does not export a plugin by default",
      "plugins/other: holds more in src/index.ts than the plugin",
    ]);
  });
});
