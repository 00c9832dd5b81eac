import { describe, expect, it } from "vitest";
import { findCulprit } from "./find-culprit.js";
import { stackFiles } from "./stack-files.js";

const PLUGINS = [
  { name: "good", file: "/plugins/good/dist/index.js" },
  { name: "bad", file: "/home/op/bad.mjs" },
  { name: "other", file: "/home/op/other.mjs" },
  { name: "unknown", file: undefined },
];

function anError(...frames: readonly string[]): Error {
  const error = new Error("boom");
  error.stack = ["Error: boom", ...frames.map((frame) => `    at ${frame}`)].join("\n");
  return error;
}

describe("the files of a stack", () => {
  it("are paths, whether frames contain URLs or paths, and exclude Node.js", () => {
    const error = anError(
      "Timeout._onTimeout (file:///home/op/bad.mjs:3:9)",
      "async /plugins/good/dist/index.js:1:1",
      "file:///home/op/a%20b.mjs:1:2",
      "listOnTimeout (node:internal/timers:581:17)",
      "new Promise (<anonymous>)",
    );

    expect(stackFiles(error)).toEqual([
      "/home/op/bad.mjs",
      "/plugins/good/dist/index.js",
      "/home/op/a b.mjs",
    ]);
    expect(stackFiles("boom")).toEqual([]);
  });
});

describe("the plugin that caused an error", () => {
  it.each([
    ["its file", ["f (file:///home/op/bad.mjs:3:9)"], { plugin: "bad", isAlone: true }],
    ["a file beside it", ["f (/plugins/good/dist/part.js:1:1)"], { plugin: "good", isAlone: true }],
    [
      "the innermost of two",
      ["f (/home/op/bad.mjs:1:1)", "g (/plugins/good/dist/index.js:1:1)"],
      { plugin: "bad", isAlone: false },
    ],
    [
      "a plugin called by the core",
      ["f (/home/op/bad.mjs:1:1)", "g (/core/dist/index.js:1:1)"],
      { plugin: "bad", isAlone: false },
    ],
    ["a library of a plugin", ["f (/plugins/good/dist/node_modules/x/index.js:1:1)"], undefined],
    ["a file that two plugins share", ["f (/home/op/shared.mjs:1:1)"], undefined],
    ["the core", ["f (/core/dist/index.js:1:1)"], undefined],
  ])("is found by %s", (_, frames, culprit) => {
    expect(findCulprit(anError(...frames), PLUGINS)).toEqual(culprit);
  });
});
