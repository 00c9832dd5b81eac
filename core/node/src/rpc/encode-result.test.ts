import { type Codec, t } from "@plinth/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeResult } from "./encode-result.js";

const quoted: Codec<unknown> = { ...t.json, encode: (value) => `"${value}"` };

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

  it.each([
    ["an amount", t.quantity, 10n ** 22n, '"0x21e19e0c9bab2400000"'],
    ["bytes", t.data, Uint8Array.of(0, 255), '"0x00ff"'],
    ["an amount of a plugin's codec", quoted, 5n, '"\\"5\\""'],
    ["bytes of a plugin's codec", quoted, Uint8Array.of(5), '"\\"5\\""'],
    ["text instead of an amount", t.quantity, 'a"b', '"0xa\\"b"'],
  ])("is the JSON of %s", (_, codec, value, json) => {
    expect(encodeResult({ result: codec as Codec<unknown> }, value)).toBe(json);
  });

  it("without JSON is null", () => {
    expect(encodeResult({ result: t.json }, undefined)).toBe("null");
  });
});
