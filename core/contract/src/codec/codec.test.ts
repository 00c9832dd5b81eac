import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { basics, type Codec, DecodeError } from "./codec.js";

const { text, boolean, json, integer, optional, array, object, record } = basics;

describe("codecs", () => {
  it.each<[string, Codec<unknown>, fc.Arbitrary<unknown>]>([
    ["text", text, fc.string({ unit: "binary" })],
    ["boolean", boolean, fc.boolean()],
    ["json", json, fc.json().map((text) => JSON.parse(text))],
    ["integer", integer(), fc.maxSafeInteger()],
    ["integer with bounds", integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 })],
    ["optional", optional(text), fc.option(fc.string(), { nil: undefined })],
    ["optional with a default", optional(integer(), 5), fc.integer()],
    ["array", array(array(integer())), fc.array(fc.array(fc.integer()))],
    [
      "object",
      object({ name: text, size: optional(integer()), tags: array(text) }),
      fc.record({
        name: fc.string(),
        size: fc.option(fc.integer(), { nil: undefined }),
        tags: fc.array(fc.string()),
      }),
    ],
    ["record", record(integer()), fc.dictionary(fc.string(), fc.integer())],
  ])("%s round-trips", (_, codec, values) => {
    fc.assert(
      fc.property(values, (value) => {
        const encoded = codec.encode(value);

        expect(codec.decode(throughText(encoded))).toEqual(value);
      }),
    );
  });

  it.each<[string, unknown, string, string, Codec<unknown>]>([
    ["text", 5, "", "text", text],
    ["text", undefined, "", "text", text],
    ["text", null, "", "text", text],
    ["boolean", "yes", "", "true or false", boolean],
    ["boolean", 0, "", "true or false", boolean],
    ["integer", 1.5, "", "an integer", integer()],
    ["integer", "1", "", "an integer", integer()],
    ["integer", 2 ** 53, "", "an integer", integer()],
    ["integer", 0, "", "an integer of at least 1", integer({ min: 1 })],
    ["integer", 6, "", "an integer of at most 5", integer({ max: 5 })],
    ["integer", 6, "", "an integer of at least 1 and of at most 5", integer({ min: 1, max: 5 })],
    ["optional", 5, "", "text", optional(text)],
    ["array", "a", "", "a list", array(text)],
    ["array", { length: 1 }, "", "a list", array(text)],
    ["array", ["a", 5], "[1]", "text", array(text)],
    ["array", [["a"], ["b", 5]], "[1][1]", "text", array(array(text))],
    ["object", [], "", "an object", object({ name: text })],
    ["object", null, "", "an object", object({ name: text })],
    ["object", "name", "", "an object", object({ name: text })],
    ["object", {}, "name", "text", object({ name: text })],
    ["object", { name: 5 }, "name", "text", object({ name: text })],
    ["object", { a: { b: [1, "2"] } }, "a.b[1]", "an integer", nested()],
    ["array", [{ name: 5 }], "[0].name", "text", array(object({ name: text }))],
    ["record", [], "", "an object", record(text)],
    ["record", { a: "x", b: 5 }, "b", "text", record(text)],
    ["object", { names: { a: 5 } }, "names.a", "text", object({ names: record(text) })],
    ["record", { a: [5] }, "a[0]", "text", record(array(text))],
  ])("%s rejects %j: at %j it expects %s", (_, value, path, expected, codec) => {
    const error = decodeOrError(codec, value);

    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ path, expected });
  });

  it.each<[string, Codec<unknown>]>([
    ["text", text],
    ["boolean", boolean],
    ["integer", integer()],
    ["array", array(text)],
    ["object", object({ name: text })],
    ["record", record(text)],
  ])("%s starts the path at the caller's prefix", (_, codec) => {
    expect(() => codec.decode(Symbol("nothing fits"), "params[3]")).toThrowError(
      expect.objectContaining({ path: "params[3]" }),
    );
  });

  it("reject any other value only with DecodeError", () => {
    const codec = object({
      name: text,
      on: boolean,
      counts: array(integer({ min: 0 })),
      more: optional(record(object({ id: integer() }))),
    });

    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const found = decodeOrError(codec, value);

        if (!(found instanceof DecodeError))
          expect(codec.decode(codec.encode(found))).toEqual(found);
      }),
    );
  });
});

describe("optional", () => {
  it.each([undefined, null])("treats %s as missing", (missing) => {
    expect(optional(text).decode(missing)).toBeUndefined();
    expect(optional(text, "latest").decode(missing)).toBe("latest");
  });

  it("encodes a missing value as null", () => {
    expect(optional(text).encode(undefined)).toBeNull();
  });

  it("has a default for a missing value; other codecs do not", () => {
    expect(optional(text, "latest").missing).toEqual({ value: "latest" });
    expect(optional(text).missing).toEqual({ value: undefined });
    expect(text.missing).toBeUndefined();
  });
});

describe("object", () => {
  const codec = object({ name: text, size: optional(integer(), 1) });

  it("ignores unknown members", () => {
    expect(codec.decode({ name: "a", color: "red" })).toEqual({ name: "a", size: 1 });
  });

  it("encodes only known members", () => {
    const value = { name: "a", size: 2, secret: "x" };

    expect(codec.encode(value)).toEqual({ name: "a", size: 2 });
  });

  it("omits members without a value", () => {
    const codec = object({ name: text, note: optional(text) });

    expect(JSON.stringify(codec.encode({ name: "a", note: undefined }))).toBe('{"name":"a"}');
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "does not treat an inherited %s as a member",
    (name) => {
      const codec = object({ [name]: optional(json) });

      expect(Object.entries(codec.decode({}))).toEqual([[name, undefined]]);
    },
  );

  it("keeps a member named __proto__ from changing the prototype", () => {
    const decoded = codec.decode(JSON.parse('{"__proto__":{"name":"evil","size":9},"name":"a"}'));

    expect(decoded).toEqual({ name: "a", size: 1 });
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
  });
});

describe("record", () => {
  it("keeps a member named __proto__ from changing the prototype", () => {
    const decoded = record(json).decode(JSON.parse('{"__proto__":{"polluted":true}}'));

    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
    expect(Object.keys(decoded)).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("schemas", () => {
  it.each<[string, Codec<unknown>, unknown]>([
    ["text", text, { type: "string" }],
    ["boolean", boolean, { type: "boolean" }],
    ["json", json, {}],
    ["integer", integer(), { type: "integer" }],
    ["integer", integer({ min: 1, max: 5 }), { type: "integer", minimum: 1, maximum: 5 }],
    ["optional", optional(text), { type: "string" }],
    ["array", array(text), { type: "array", items: { type: "string" } }],
    [
      "object",
      object({ name: text, size: optional(integer()) }),
      {
        type: "object",
        properties: { name: { type: "string" }, size: { type: "integer" } },
        required: ["name"],
      },
    ],
    ["record", record(text), { type: "object", additionalProperties: { type: "string" } }],
  ])("describe %s", (_, codec, schema) => {
    expect(codec.schema).toEqual(schema);
  });
});

describe("DecodeError", () => {
  it.each([
    ["", "expected text"],
    ["name[0]", "name[0]: expected text"],
  ])("at %j reads %j", (path, message) => {
    expect(new DecodeError(path, "text").message).toBe(message);
  });
});

function throughText(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function decodeOrError<T>(codec: Codec<T>, value: unknown): T | DecodeError {
  try {
    return codec.decode(value);
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

function nested() {
  return object({ a: object({ b: array(integer()) }) });
}
