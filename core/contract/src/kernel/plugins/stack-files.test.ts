import { describe, expect, it } from "vitest";
import { findPlace, stackFiles } from "./stack-files.js";

function errorWith(...lines: readonly string[]): Error {
  const error = new Error("broken");
  error.stack = ["Error: broken", ...lines].join("\n");
  return error;
}

const DEEP = errorWith(
  "    at encode (file:///program/core/dist/index.js:10:5)",
  "    at setup (file:///plugins/hello/my%20plugin.mjs:3:12)",
  "    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)",
);

describe("the location of an error", () => {
  it("is its innermost frame outside Node.js", () => {
    expect(findPlace(DEEP)).toBe("/program/core/dist/index.js:10:5");
  });

  it("is the innermost frame in the folder of a given plugin", () => {
    expect(findPlace(DEEP, "/plugins/hello/index.mjs")).toBe("/plugins/hello/my plugin.mjs:3:12");
  });

  it("is the line that Node.js puts before the stack of a syntax error", () => {
    const error = new SyntaxError("no such export");
    error.stack = "file:///plugins/hello.mjs:7\nimport { x } from 'y';\n         ^\nSyntaxError: …";

    expect(findPlace(error)).toBe("/plugins/hello.mjs:7");
  });

  it.each([undefined, "text", errorWith("    at node:fs:1:1")])("is unknown for %s", (error) => {
    expect(findPlace(error)).toBeUndefined();
    expect(stackFiles(error)).toEqual([]);
  });
});
