import { t } from "@plinth/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeResult } from "./encode-result.js";

describe("a result", () => {
  it("is the JSON of its value, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.jsonValue()), (value) => {
        expect(encodeResult({ result: t.json }, value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it.each(["", "0x00ff", 'a"b', "a\\b", "a\n", "0x\n", "ü", "\u2028", "\ud800"])(
    "is the JSON of %j",
    (text) => {
      expect(encodeResult({ result: t.json }, text)).toBe(JSON.stringify(text));
    },
  );

  it("without JSON is null", () => {
    expect(encodeResult({ result: t.json }, undefined)).toBe("null");
  });
});
