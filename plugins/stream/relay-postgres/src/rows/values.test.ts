import { describe, expect, it } from "vitest";
import { copyLine, timeValue } from "./values.js";

describe("timeValue", () => {
  it.each([
    [0n, "1970-01-01 00:00:00+00"],
    [1_700_000_000n, "2023-11-14 22:13:20+00"],
    [253_402_300_799n, "9999-12-31 23:59:59+00"],
    [253_402_300_800n, "infinity"],
    [2n ** 64n - 1n, "infinity"],
  ])("%s is %s", (seconds, text) => {
    expect(timeValue(seconds)).toBe(text);
  });
});

describe("copyLine", () => {
  it("escapes what COPY would read as something else", () => {
    expect(copyLine(["1", null, "\\x00ff", "a\tb\nc\\d\r", ""])).toBe(
      "1\t\\N\t\\\\x00ff\ta\\tb\\nc\\\\d\\r\t\n",
    );
  });
});
