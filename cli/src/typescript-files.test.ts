import { describe, expect, it } from "vitest";
import { verifyRunnable } from "./typescript-files.js";

describe("a plugin in TypeScript", () => {
  it.each(["file:///plugins/hello.ts", "file:///plugins/hello.mts"])(
    "is refused where types cannot be stripped, with the reason: %s",
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
    ["where types can be stripped", "file:///plugins/hello.ts", true],
    ["when it is JavaScript", "file:///plugins/hello.mjs", false],
    ["when only its folder is called so", "file:///plugins.ts/hello.js", false],
  ])("is let through %s", (_, url, stripsTypes) => {
    expect(() => verifyRunnable("./hello", url, stripsTypes)).not.toThrow();
  });
});
