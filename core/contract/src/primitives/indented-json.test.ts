import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndentedJson } from "./indented-json.js";

describe("indented JSON", () => {
  it("has two spaces per object, lists on one line, and spaced brackets", () => {
    const text = '{"a":{"b":1.50,"c":[1,"x , y",{"d":null}]},"e":{},"f":[ ]}';

    expect(new IndentedJson().push(text)).toBe(
      [
        "{",
        '  "a" : {',
        '    "b" : 1.50,',
        '    "c" : [ 1, "x , y", {',
        '      "d" : null',
        "    } ]",
        "  },",
        '  "e" : { },',
        '  "f" : [ ]',
        "}",
      ].join("\n"),
    );
  });

  it("parses to the same value, wherever the text is split", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, place) => {
        const cut = place % (text.length + 1);
        const indented = new IndentedJson();

        const whole = indented.push(text.slice(0, cut)) + indented.push(text.slice(cut));

        expect(JSON.parse(whole)).toEqual(JSON.parse(text));
        expect(whole).toBe(new IndentedJson().push(text));
      }),
    );
  });
});
