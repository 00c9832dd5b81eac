import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { changeArray, findArrays } from "./toml-array.js";

const findArray = (toml: string) => findArrays(toml, ["list"]).get("list");

function change(toml: string, removed: readonly string[], added: readonly string[]): string {
  const array = findArray(toml);
  if (array === undefined) throw new Error("there is no array");
  const items = new Set(array.items.filter(({ text }) => removed.includes(text)));
  return changeArray(toml, array, { removed: items, added });
}

describe("an array of a TOML file", () => {
  it.each<[string, readonly string[]]>([
    ['list=["a","b"]', ["a", "b"]],
    ['\ufefflist=["a"]', ["a"]],
    ["list = []", []],
    ['# list=["x"]\nother = "list=[\\"y\\"]"\n"list" = [ "a", # first\n  \'b\',\n]\n', ["a", "b"]],
    ['text = """\nlist=["x"]\n"""\nmore = [["list"], ["]"]]\nlist = ["a"]\n', ["a"]],
    ['map = { list = ["x"] }\nlist = ["a"]', ["a"]],
  ])("is found in %j", (toml, items) => {
    expect(findArray(toml)?.items.map(({ text }) => text)).toEqual(items);
  });

  it.each([
    'list.x=["a"]',
    '"list".x=["a"]',
    'x.list=["a"]',
    'list=["a" "b"]',
    "list=[1]",
    'list=["a", ["b"]]',
    'list=["\\u0061"]',
    "list=1",
  ])("is not found if it has other values: %j", (toml) => {
    expect(findArray(toml)).toBeUndefined();
  });

  it("is not found in invalid TOML", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."list=[]\"'#.,{}\n \t\\a") }), (text) => {
        findArrays(text, ["list"]);
      }),
      { numRuns: 5000 },
    );
  });

  it("is not found in a table", () => {
    expect(findArray('[table]\nlist = ["a"]\n')).toBeUndefined();
  });

  it.each<[string, readonly string[], readonly string[], string]>([
    ['list=["a","b"]', [], ["c", "d"], 'list=["a","b","c","d"]'],
    ["list=[]", [], ["c"], 'list=["c"]'],
    ['list=["a","b"]', ["b"], [], 'list=["a"]'],
    ['list=["a","b"]', ["a"], ["c"], 'list=["b","c"]'],
    ['list=["a","b"]', ["a", "b"], [], "list=[]"],
    [
      '# who may send\nlist = [\n  "a", # bank A\n  "b", # bank B\n]\nother = 1\n',
      ["a"],
      ["c"],
      '# who may send\nlist = [\n  "b","c", # bank B\n]\nother = 1\n',
    ],
  ])("of %j without %j, with %j", (toml, removed, added, expected) => {
    expect(change(toml, removed, added)).toBe(expected);
  });

  it("has the right content after any change, regardless of its notation", () => {
    const words = fc.uniqueArray(fc.constantFrom(..."abcdefgh"), { maxLength: 8 });
    const gap = fc.constantFrom("", " ", "\n", "\n  ", " # note\n", '\n# note ] " ,\n\t');
    fc.assert(
      fc.property(
        words,
        words,
        fc.boolean(),
        fc.array(gap, { minLength: 20 }),
        (old, mixed, hasComma, gaps) => {
          const removed = mixed.filter((word) => old.includes(word));
          const added = mixed.filter((word) => !old.includes(word));
          const items = old
            .map((word, at) => `${gaps[2 * at]}"${word}"${gaps[2 * at + 1]}`)
            .join(",");
          const tail = hasComma && old.length > 0 ? "," : "";
          const toml = `first = 1\nlist = [${items}${tail}${gaps[19]}] # end\nlast = "x"\n`;

          const changed = parse(change(toml, removed, added));

          const kept = old.filter((word) => !removed.includes(word));
          expect(changed).toEqual({ first: 1, list: [...kept, ...added], last: "x" });
        },
      ),
      { numRuns: 2000 },
    );
  });
});
