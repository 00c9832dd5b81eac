import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMembers, readMembers } from "./json-members.js";

describe("the members of JSON text", () => {
  it("keep their order, the notation of numbers and the content of strings", () => {
    const text = ' { "2" : 1.50, "1": [1, {"a":"},"}], "x\\"y" : "a\\\\", "e": {} } ';

    expect(readMembers(text)).toEqual([
      { key: "2", value: "1.50" },
      { key: "1", value: '[1, {"a":"},"}]' },
      { key: 'x"y', value: '"a\\\\"' },
      { key: "e", value: "{}" },
    ]);
  });

  it("are none in an empty object", () => {
    expect(readMembers("{ }")).toEqual([]);
    expect(formatMembers([])).toBe("{}");
  });

  it("are equivalent when joined again", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value, undefined, 1);

        expect(JSON.parse(formatMembers(readMembers(text)))).toEqual(JSON.parse(text));
      }),
    );
  });
});
