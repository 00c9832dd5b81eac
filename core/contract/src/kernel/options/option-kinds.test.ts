import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type OptionKind, optionKinds, ValueProblem } from "./option-kinds.js";

const ADDRESS = `0x${"ab".repeat(20)}`;

const kinds = {
  flag: optionKinds.flag(),
  boolean: optionKinds.boolean(),
  integer: optionKinds.integer({ min: -5, max: 100 }),
  "integer without bounds": optionKinds.integer(),
  decimal: optionKinds.decimal(),
  wei: optionKinds.wei(),
  percent: optionKinds.percent(),
  fraction: optionKinds.fraction(),
  text: optionKinds.text(),
  path: optionKinds.path(),
  host: optionKinds.host(),
  port: optionKinds.port(),
  address: optionKinds.address(),
  hex: optionKinds.hex(),
  oneOf: optionKinds.oneOf(["FULL", "FAST"]),
  list: optionKinds.list(optionKinds.port(), false),
  map: optionKinds.map(optionKinds.port()),
} satisfies Record<string, OptionKind<unknown>>;

type KindName = keyof typeof kinds;

describe("text of a command line or variable", () => {
  it.each<[KindName, string, unknown]>([
    ["flag", "true", true],
    ["flag", "FALSE", false],
    ["boolean", "True", true],
    ["boolean", "false", false],
    ["integer", "42", 42],
    ["integer", "+42", 42],
    ["integer", "-5", -5],
    ["integer", "007", 7],
    ["integer without bounds", "9007199254740991", Number.MAX_SAFE_INTEGER],
    ["integer without bounds", "-9007199254740991", Number.MIN_SAFE_INTEGER],
    ["decimal", "1.5", 1.5],
    ["decimal", "-.5", -0.5],
    ["decimal", "3.", 3],
    ["decimal", "1e-7", 1e-7],
    ["decimal", "2.5E+3", 2500],
    ["wei", "0", 0n],
    ["wei", "18446744073709551615", 2n ** 64n - 1n],
    ["percent", "0", 0],
    ["percent", "100", 100],
    ["fraction", "0", 0],
    ["fraction", "0.25", 0.25],
    ["fraction", "1.0", 1],
    ["text", "", ""],
    ["text", " as it is ", " as it is "],
    ["path", "/data", "/data"],
    ["path", "data/../key", resolve("key")],
    ["host", "localhost", "localhost"],
    ["host", "node-1.example.org.", "node-1.example.org."],
    ["host", "my_host", "my_host"],
    ["host", "0.0.0.0", "0.0.0.0"],
    ["host", "::1", "::1"],
    ["port", "0", 0],
    ["port", "65535", 65535],
    ["address", ADDRESS, ADDRESS],
    ["address", "AB".repeat(20), ADDRESS],
    ["address", `0X${"Ab".repeat(20)}`, ADDRESS],
    ["hex", "0x00ff", Uint8Array.of(0, 255)],
    ["hex", "00FF", Uint8Array.of(0, 255)],
    ["hex", "0x", new Uint8Array()],
    ["oneOf", "FULL", "FULL"],
    ["oneOf", "fast", "FAST"],
    ["list", "1,2", [1, 2]],
    ["list", " 1 , 2 ", [1, 2]],
    ["list", "1,,2,", [1, 2]],
    ["list", "", []],
    ["map", "a=1,b=2", new Map(Object.entries({ a: 1, b: 2 }))],
    ["map", " a = 1 ,", new Map([["a", 1]])],
    ["map", "a=1,a=2", new Map([["a", 2]])],
    ["map", "", new Map()],
  ])("%s reads %j", (name, text, value) => {
    expect(kinds[name].parse(text, {})).toEqual(value);
  });

  it.each<[KindName, string, string]>([
    ["flag", "yes", "'yes' is not a boolean; expected true or false"],
    ["flag", "", "'' is not a boolean; expected true or false"],
    ["boolean", "1", "'1' is not a boolean; expected true or false"],
    ["integer", "abc", "'abc' is not an int"],
    ["integer", "1.5", "'1.5' is not an int"],
    ["integer", "0x10", "'0x10' is not an int"],
    ["integer", "1e3", "'1e3' is not an int"],
    ["integer", "", "'' is not an int"],
    ["integer", " 1", "' 1' is not an int"],
    ["integer", "101", "'101' is not in the range -5 to 100"],
    ["integer", "-6", "'-6' is not in the range -5 to 100"],
    [
      "integer without bounds",
      "9007199254740993",
      "'9007199254740993' is not in the range -9007199254740991 to 9007199254740991",
    ],
    ["decimal", "1,5", "'1,5' is not a decimal number"],
    ["decimal", ".", "'.' is not a decimal number"],
    ["decimal", "", "'' is not a decimal number"],
    ["decimal", "Infinity", "'Infinity' is not a decimal number"],
    ["decimal", "NaN", "'NaN' is not a decimal number"],
    ["decimal", "1e", "'1e' is not a decimal number"],
    [
      "wei",
      "18446744073709551616",
      "'18446744073709551616' is not an amount of wei; expected a decimal number of at most 64 bits",
    ],
    ["wei", "0x1", "'0x1' is not an amount of wei; expected a decimal number of at most 64 bits"],
    ["wei", "-1", "'-1' is not an amount of wei; expected a decimal number of at most 64 bits"],
    ["wei", "", "'' is not an amount of wei; expected a decimal number of at most 64 bits"],
    ["percent", "101", "'101' is not in the range 0 to 100"],
    ["percent", "50%", "'50%' is not an int"],
    ["fraction", "1.01", "'1.01' is not in the range 0 to 1"],
    ["fraction", "-0.1", "'-0.1' is not in the range 0 to 1"],
    ["fraction", "half", "'half' is not a decimal number"],
    ["host", "", "'' is not a host; expected a name or an IP address"],
    ["host", "a b", "'a b' is not a host; expected a name or an IP address"],
    ["host", "http://a", "'http://a' is not a host; expected a name or an IP address"],
    ["host", "-a", "'-a' is not a host; expected a name or an IP address"],
    ["host", "a..b", "'a..b' is not a host; expected a name or an IP address"],
    ["port", "65536", "'65536' is not in the range 0 to 65535"],
    ["port", "-1", "'-1' is not in the range 0 to 65535"],
    ["port", "abc", "'abc' is not an int"],
    ["address", "0x12", "'0x12' is not an address; expected 20 bytes of hex"],
    [
      "address",
      `0x${"zz".repeat(20)}`,
      `'0x${"zz".repeat(20)}' is not an address; expected 20 bytes of hex`,
    ],
    ["hex", "0x123", "'0x123' is not hex; expected an even number of hex digits"],
    ["hex", "xyz0", "'xyz0' is not hex; expected an even number of hex digits"],
    ["oneOf", "bogus", "expected one of [FULL, FAST] (case-insensitive) but was 'bogus'"],
    ["oneOf", "", "expected one of [FULL, FAST] (case-insensitive) but was ''"],
    ["list", "1,x", "'x' is not an int"],
    ["map", "a", "'a' is not an entry; expected NAME=VALUE"],
    ["map", "=1", "'=1' is not an entry; expected NAME=VALUE"],
    ["map", "a=x", "'x' is not an int"],
  ])("%s refuses %j: %s", (name, text, problem) => {
    expect(() => kinds[name].parse(text, {})).toThrowError(new ValueProblem(problem));
  });

  it("decimal rejects a number that is too large", () => {
    expect(() => kinds.decimal.parse("9".repeat(400), {})).toThrowError(ValueProblem);
    expect(() => kinds.decimal.parse("1e999", {})).toThrowError(ValueProblem);
  });

  it("host rejects more than 253 characters", () => {
    expect(() => kinds.host.parse("a".repeat(254), {})).toThrowError(ValueProblem);
  });

  it("a string with an equals sign can be the value of a map", () => {
    expect(optionKinds.map(optionKinds.text()).parse("a=b=c", {})).toEqual(new Map([["a", "b=c"]]));
  });
});

describe("values of a file or program", () => {
  it.each<[KindName, unknown, unknown]>([
    ["flag", true, true],
    ["boolean", false, false],
    ["integer", 42, 42],
    ["integer", "42", 42],
    ["integer", 42n, 42],
    ["decimal", 1.5, 1.5],
    ["decimal", 1e-7, 1e-7],
    ["decimal", 1e21, 1e21],
    ["decimal", "1.5", 1.5],
    ["wei", 5, 5n],
    ["wei", 2n ** 64n - 1n, 2n ** 64n - 1n],
    ["wei", "5", 5n],
    ["percent", 50, 50],
    ["fraction", 0.5, 0.5],
    ["fraction", 1e-9, 1e-9],
    ["text", "x", "x"],
    ["host", "::1", "::1"],
    ["port", 8545, 8545],
    ["address", ADDRESS, ADDRESS],
    ["hex", "0x01", Uint8Array.of(1)],
    ["hex", Uint8Array.of(1), Uint8Array.of(1)],
    ["oneOf", "full", "FULL"],
    ["list", [1, "2"], [1, 2]],
    ["list", [], []],
    ["map", ["a=1"], new Map([["a", 1]])],
    ["map", new Map([["a", 1]]), new Map([["a", 1]])],
    ["map", [], new Map()],
  ])("%s accepts %o", (name, given, value) => {
    expect(kinds[name].accept(given, {})).toEqual(value);
  });

  it.each<[KindName, unknown, string]>([
    ["flag", "true", "expected true or false without quotes but was 'true'"],
    ["flag", 1, "expected true or false without quotes but was 1"],
    ["boolean", "false", "expected true or false without quotes but was 'false'"],
    ["boolean", [true], "expected true or false without quotes but was a list"],
    ["integer", true, "expected a number but was true"],
    ["integer", [1], "expected a number but was a list"],
    ["integer", 1.5, "'1.5' is not an int"],
    ["integer", Number.NaN, "'NaN' is not an int"],
    ["integer", 101, "'101' is not in the range -5 to 100"],
    ["decimal", Number.POSITIVE_INFINITY, "'Infinity' is not a decimal number"],
    ["decimal", {}, "expected a number but was an object"],
    ["wei", -1, "'-1' is not an amount of wei; expected a decimal number of at most 64 bits"],
    ["text", 5, "expected text but was 5"],
    ["text", true, "expected text but was true"],
    ["path", {}, "expected text but was an object"],
    ["host", 127, "expected text but was 127"],
    ["port", "http", "'http' is not an int"],
    ["address", 5, "expected text but was 5"],
    ["hex", 12, "expected text but was 12"],
    ["hex", ["ab"], "expected text but was a list"],
    ["oneOf", 5, "expected text but was 5"],
    ["list", "1,2", 'expected a list such as ["a", "b"] but was \'1,2\''],
    ["list", [1, true], "expected a number but was true"],
    ["map", "a=1", "expected a list such as [\"NAME=VALUE\"] but was 'a=1'"],
    ["map", [1], 'expected a list such as ["NAME=VALUE"] but was a list'],
    ["map", { a: 1 }, 'expected a list such as ["NAME=VALUE"] but was an object'],
    ["map", new Map([["a", "x"]]), "'x' is not an int"],
  ])("%s refuses %o: %s", (name, given, problem) => {
    expect(() => kinds[name].accept(given, {})).toThrowError(new ValueProblem(problem));
  });
});

describe("paths", () => {
  it("are relative to the folder of their source", () => {
    expect(kinds.path.parse("genesis.json", { folder: "/etc/plinth" })).toBe(
      "/etc/plinth/genesis.json",
    );
    expect(kinds.path.accept("../key", { folder: "/etc/plinth" })).toBe("/etc/key");
  });

  it("are relative to the working folder if there is no other", () => {
    expect(kinds.path.accept("data", {})).toBe(resolve("data"));
  });

  it("stay unchanged if they are absolute", () => {
    expect(kinds.path.parse("/data", { folder: "/etc/plinth" })).toBe("/data");
  });

  it("in lists and maps are relative to that folder too", () => {
    const context = { folder: "/etc" };

    expect(optionKinds.list(optionKinds.path(), false).parse("a,/b", context)).toEqual([
      "/etc/a",
      "/b",
    ]);
    expect(optionKinds.map(optionKinds.path()).accept(["x=a"], context)).toEqual(
      new Map([["x", "/etc/a"]]),
    );
  });
});

describe("kinds", () => {
  it.each<[KindName, OptionKind<unknown>["arity"], boolean]>([
    ["flag", "flag", false],
    ["boolean", "one", false],
    ["integer", "one", false],
    ["text", "one", false],
    ["oneOf", "one", false],
    ["list", "one", true],
    ["map", "one", true],
  ])(
    "%s reports how many arguments it takes and whether it may be repeated",
    (name, arity, repeatable) => {
      expect(kinds[name]).toMatchObject({ arity, repeatable });
    },
  );

  it.each<[string, OptionKind<unknown>, unknown, string]>([
    ["flag", kinds.flag, true, "true"],
    ["integer", kinds.integer, 5, "5"],
    ["wei", kinds.wei, 5n, "5"],
    ["hex", kinds.hex, Uint8Array.of(1, 255), "0x01ff"],
    ["list", kinds.list, [1, 2], "1,2"],
    ["map", kinds.map, new Map(Object.entries({ a: 1, b: 2 })), "a=1,b=2"],
  ])("%s formats a value as it would be written", (_, kind, value, text) => {
    expect(kind.format(value)).toBe(text);
  });

  it.each<[string, OptionKind<unknown>, fc.Arbitrary<unknown>]>([
    ["flag", kinds.flag, fc.boolean()],
    ["integer", kinds["integer without bounds"], fc.maxSafeInteger()],
    [
      "decimal",
      kinds.decimal,
      withoutNegativeZero(fc.double({ noNaN: true, noDefaultInfinity: true })),
    ],
    ["wei", kinds.wei, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })],
    ["fraction", kinds.fraction, withoutNegativeZero(fc.double({ min: 0, max: 1, noNaN: true }))],
    ["port", kinds.port, fc.nat(65535)],
    ["hex", kinds.hex, fc.uint8Array()],
    ["oneOf", kinds.oneOf, fc.constantFrom("FULL", "FAST")],
    ["list", kinds.list, fc.array(fc.nat(65535))],
  ])("%s round-trips", (_, kind, values) => {
    fc.assert(
      fc.property(values, (value) => {
        expect(kind.parse(kind.format(value), {})).toEqual(value);
      }),
    );
  });
});

/** The sign of zero is lost in text. */
function withoutNegativeZero(numbers: fc.Arbitrary<number>): fc.Arbitrary<number> {
  return numbers.map((number) => number + 0);
}
