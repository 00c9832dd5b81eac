import { describe, expect, it } from "vitest";
import { verifyRunnable } from "./typescript-files.js";

describe("a plugin in TypeScript", () => {
  it.each(["file:///plugins/hello.ts", "file:///plugins/hello.mts"])(
    "is rejected if types cannot be stripped, with the reason: %s",
    (url) => {
      expect(() => verifyRunnable("./hello.ts", url, false)).toThrowError(
        expect.objectContaining({
          code: "PLUGIN_UNLOADABLE",
          message: `plugin "./hello.ts" is a TypeScript file, which Node.js ${process.versions.node} cannot run; compile it to JavaScript, or use Node.js 22.18 or later`,
        }),
      );
    },
  );

  it.each([
    ["if types can be stripped", "file:///plugins/hello.ts", true],
    ["if it is JavaScript", "file:///plugins/hello.mjs", false],
    ["if only its folder has such a name", "file:///plugins.ts/hello.js", false],
  ])("is accepted %s", (_, url, stripsTypes) => {
    expect(() => verifyRunnable("./hello", url, stripsTypes)).not.toThrow();
  });
});
