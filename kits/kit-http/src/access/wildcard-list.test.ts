import { describe, expect, it } from "vitest";
import { readWildcardList } from "./wildcard-list.js";

describe("a list with words for everything and nothing", () => {
  it.each([
    [["*"], "any"],
    [["all"], "any"],
    [["ALL"], "any"],
    [["none"], []],
    [["None"], []],
    [[], []],
    [
      ["localhost", "Example.org"],
      ["localhost", "Example.org"],
    ],
  ])("%j is parsed as %j", (entries, list) => {
    expect(readWildcardList("host-allowlist", entries)).toEqual(list);
  });

  it.each([[["*", "localhost"]], [["localhost", "all"]], [["none", "localhost"]], [["*", "none"]]])(
    "is rejected if such a word is combined with others: %j",
    (entries) => {
      expect(() => readWildcardList("host-allowlist", entries)).toThrowError(
        expect.objectContaining({
          name: "ConfigError",
          code: "OPTION_INVALID",
          message: expect.stringContaining("--host-allowlist"),
        }),
      );
    },
  );
});
