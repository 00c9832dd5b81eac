import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findIdTexts } from "./id-text.js";

describe("findIdTexts", () => {
  it.each([
    ["an integer", "1"],
    ["a negative integer", "-1"],
    ["an integer above 2^53", "9007199254740993"],
    ["an integer of many digits", "123456789012345678901234567890123456789012345678901234567890"],
    ["a fraction", "1.50"],
    ["an exponent", "1e400"],
    ["an exponent with a sign", "-1.25E+30"],
    ["a text", '"abc"'],
    ["a text with quotes and backslashes", '"a\\"b\\\\"'],
    ["a text that looks like a member", '"\\"id\\":5}"'],
    ["an empty text", '""'],
    ["null", "null"],
    ["a boolean", "true"],
  ])("finds %s unchanged", (_, id) => {
    expect(findIdTexts(`{"jsonrpc":"2.0","id":${id},"method":"a"}`)).toEqual([id]);
    expect(findIdTexts(`{"id" \n:\t ${id}\r\n}`)).toEqual([id]);
    expect(findIdTexts(`[{"method":"a","id":${id}}]`)).toEqual([id]);
  });

  it.each<[string, string, (string | undefined)[]]>([
    ["a request without one", '{"method":"a"}', [undefined]],
    ["an empty object", "{}", [undefined]],
    ["an empty batch", "[]", []],
    ["an id that is only inside another member", '{"params":[{"id":5}],"x":{"id":6}}', [undefined]],
    ["an id in front of such members", '{"id":1,"params":[{"id":5}]}', ["1"]],
    ["an id behind such members", '{"params":[{"id":5}],"id":1}', ["1"]],
    ["two ids, of which the last counts", '{"id":1,"id":2}', ["2"]],
    ["a value that is `id`", '{"method":"id","id":1}', ["1"]],
    ["a list with id in it", '{"params":["id",5],"id":1}', ["1"]],
    ["a key with an escape", '{"\\u0069d":1}', ["1"]],
    ["an escaped key behind a plain one", '{"id":1,"i\\u0064":2}', ["2"]],
    ["keys that merely end in id", '{"pid":5,"\\\\id":6,"\\"id":7,"id":1}', ["1"]],
    ["a batch with scalars, which are omitted", '[1,{"id":2},"id",null,{"id":3}]', ["2", "3"]],
    [
      "a batch with lists, which have none",
      '[[{"id":5}],{"id":1},["id",2]]',
      [undefined, "1", undefined],
    ],
    ["a batch with notifications", '[{"method":"a"},{"id":1}]', [undefined, "1"]],
    ["brackets in strings", '{"method":"}]{[","id":1}', ["1"]],
  ])("handles %s", (_, json, ids) => {
    expect(findIdTexts(json)).toEqual(ids);
  });

  it("finds every id of every request, exactly as written", () => {
    fc.assert(
      fc.property(requestText(), ({ json, id }) => {
        JSON.parse(json);

        expect(findIdTexts(json)).toEqual([id]);
      }),
    );
  });

  it("finds the ids of batches with anything between the requests", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(requestText(), otherText())), blank(), (entries, space) => {
        const json = `${space}[${entries.map((entry) => entry.json).join(`${space},`)}]`;
        const structured = entries.filter((entry) => /^\s*[[{]/.test(entry.json));

        expect(findIdTexts(json)).toEqual(structured.map((entry) => entry.id));
      }),
    );
  });

  it("agrees with JSON.parse about the value of an id", () => {
    fc.assert(
      fc.property(requestText(), ({ json }) => {
        const [text] = findIdTexts(json);

        const { id } = JSON.parse(json);
        expect(text === undefined ? undefined : JSON.parse(text)).toEqual(id);
      }),
    );
  });

  it("takes the same time for deep and flat texts", () => {
    const depth = 100_000;
    const json = `{"params":${"[".repeat(depth)}${"]".repeat(depth)},"id":1}`;

    expect(findIdTexts(json)).toEqual(["1"]);
  });
});

interface Text {
  readonly json: string;
  readonly id: string | undefined;
}

const ID_KEYS = ['"id"', '"\\u0069d"', '"i\\u0064"', '"\\u0069\\u0064"'];

/** The text of a request with any members in any order, and its effective id. */
function requestText(): fc.Arbitrary<Text> {
  const member = fc.record({ key: otherKey(), value: fc.json(), isId: fc.constant(false) });
  const idMember = fc.record({
    key: fc.constantFrom(...ID_KEYS),
    value: scalarText(),
    isId: fc.constant(true),
  });
  return fc
    .tuple(fc.array(fc.oneof({ arbitrary: member, weight: 3 }, idMember)), blank(), blank())
    .map(([members, before, after]) => {
      const texts = members.map(({ key, value }) => `${before}${key}${after}:${before}${value}`);
      const id = members.findLast(({ isId }) => isId)?.value;
      return { json: `${before}{${texts.join(`${after},`)}${after}}${before}`, id };
    });
}

/** An entry of a batch that is not a request. */
function otherText(): fc.Arbitrary<Text> {
  return fc
    .oneof(
      scalarText(),
      fc.array(fc.json()).map((items) => `[${items.join(",")}]`),
    )
    .map((json) => ({ json, id: undefined }));
}

function scalarText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.bigInt().map(String),
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/),
    fc
      .string({ unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", ":", ",", "id", "é") })
      .map((text) => JSON.stringify(text)),
    fc.constantFrom("null", "true", "false"),
  );
}

function otherKey(): fc.Arbitrary<string> {
  return fc
    .oneof(fc.string(), fc.constantFrom("ID", "id ", '"id"', "\\id", "__proto__", "method"))
    .filter((key) => key !== "id")
    .map((key) => JSON.stringify(key));
}

function blank(): fc.Arbitrary<string> {
  return fc.constantFrom("", " ", "\n", "\r\n\t ");
}
