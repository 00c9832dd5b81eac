import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonValues, ValueTooLong } from "./json-values.js";

describe("values in a stream", () => {
  it("are found regardless of chunk boundaries", () => {
    const value = fc
      .oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
      .map((json) => JSON.stringify(json));
    const white = fc.constantFrom("", "\n", " ", "\r\n\t");

    fc.assert(
      fc.property(fc.array(fc.tuple(value, white)), fc.integer({ min: 1, max: 9 }), (all, size) => {
        const values = new JsonValues(100_000);
        const text = all.map(([json, gap]) => json + gap).join("");

        const found = cut(text, size).flatMap((read) => values.push(read));

        expect(found).toEqual(all.map(([json]) => json));
      }),
    );
  });

  it.each([
    ["text alone", ["hello"], ["hello"]],
    ["a number", ["5\n"], ["5\n"]],
    ["a closing bracket", ["}"], ["}"]],
    ["text before a value", ['x{"a":1}'], ["x", '{"a":1}']],
    ["text after a value", ["{}y", "[]"], ["{}", "y", "[]"]],
    ["brackets that do not match", ["[}"], ["[}"]],
    ["white space", [" \n\t"], []],
  ])("are passed on with invalid text: %s", (_, reads, expected) => {
    const values = new JsonValues(100);

    expect(reads.flatMap((read) => values.push(read))).toEqual(expected);
  });

  it("have a length limit", () => {
    const values = new JsonValues(10);
    values.push('["12345');

    expect(() => values.push("67890")).toThrow(ValueTooLong);
  });
});

function cut(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}
