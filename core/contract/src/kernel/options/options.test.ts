import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { optionKinds } from "./option-kinds.js";
import { type Option, option, toOptionName, toVariableName } from "./options.js";

const summary = "What it is for.";

describe("option", () => {
  it.each<[string, Option<unknown>, string]>([
    ["flag", option.flag({ summary }), ""],
    ["boolean", option.boolean({ summary }), "<true|false>"],
    ["integer", option.integer({ summary }), "<INTEGER>"],
    ["decimal", option.decimal({ summary }), "<DECIMAL>"],
    ["wei", option.wei({ summary }), "<WEI>"],
    ["percent", option.percent({ summary }), "<PERCENT>"],
    ["fraction", option.fraction({ summary }), "<FRACTION>"],
    ["text", option.text({ summary }), "<TEXT>"],
    ["path", option.path({ summary }), "<PATH>"],
    ["host", option.host({ summary }), "<HOST>"],
    ["port", option.port({ summary }), "<PORT>"],
    ["address", option.address({ summary }), "<ADDRESS>"],
    ["hex", option.hex({ summary }), "<HEX>"],
    ["oneOf", option.oneOf(["a", "b"], { summary }), "<a|b>"],
    ["list", option.list({ summary, of: optionKinds.port() }), "<PORT>[,<PORT>...]"],
    ["map", option.map({ summary, of: optionKinds.text() }), "<NAME>=<TEXT>[,...]"],
  ])("%s creates an option of its kind", (_, made, placeholder) => {
    expect(made.summary).toBe(summary);
    expect(made.kind.placeholder).toBe(placeholder);
  });

  it("has no default, no aliases and no conditions unless they are given", () => {
    expect(option.text({ summary })).toMatchObject({
      default: undefined,
      aliases: [],
      experimental: false,
      needs: undefined,
    });
  });

  it("keeps all of its settings", () => {
    const made = option.port({
      summary,
      default: 8545,
      aliases: ["httpPort"],
      experimental: true,
      needs: "httpEnabled",
    });

    expect(made).toMatchObject({
      default: 8545,
      aliases: ["httpPort"],
      experimental: true,
      needs: "httpEnabled",
    });
  });

  it.each<[string, Option<unknown>, unknown]>([
    ["a flag is off", option.flag({ summary }), false],
    ["a flag may be on", option.flag({ summary, default: true }), true],
    ["a boolean is missing", option.boolean({ summary }), undefined],
    ["a list is empty", option.list({ summary, of: optionKinds.text() }), []],
    ["a list may have items", option.list({ summary, of: optionKinds.port(), default: [1] }), [1]],
    ["a map is empty", option.map({ summary, of: optionKinds.text() }), new Map()],
    [
      "a map may have entries",
      option.map({ summary, of: optionKinds.port(), default: new Map([["a", 1]]) }),
      new Map([["a", 1]]),
    ],
    ["one of several words", option.oneOf(["a", "b"], { summary, default: "b" }), "b"],
  ])("by default %s", (_, made, value) => {
    expect(made.default).toEqual(value);
  });

  it("checks the bounds of an integer", () => {
    const { kind } = option.integer({ summary, min: 1, max: 9 });

    expect(kind.parse("9", {})).toBe(9);
    expect(() => kind.parse("10", {})).toThrowError("'10' is not in the range 1 to 9");
  });

  it("checks values with its own validator, whatever the source", () => {
    const { kind } = option.integer({
      summary,
      min: 0,
      validate: (value) => (value % 2 === 0 ? undefined : "expected an even number"),
    });

    expect(kind.parse("4", {})).toBe(4);
    expect(kind.accept(6, {})).toBe(6);
    expect(() => kind.parse("5", {})).toThrowError("'5': expected an even number");
    expect(() => kind.accept(7, {})).toThrowError("'7': expected an even number");
    expect(() => kind.parse("-1", {})).toThrowError("'-1' is not in the range");
  });

  it("checks whole lists and maps with the validator", () => {
    const of = optionKinds.text();
    const validate = (value: { readonly length?: number; readonly size?: number }) =>
      (value.length ?? value.size ?? 0) > 1 ? "expected at most one" : undefined;

    expect(() => option.list({ summary, of, validate }).kind.parse("a,b", {})).toThrowError(
      "'a,b': expected at most one",
    );
    expect(() => option.map({ summary, of, validate }).kind.parse("a=1,b=2", {})).toThrowError(
      "'a=1,b=2': expected at most one",
    );
  });

  it("takes several arguments for a list only if declared so", () => {
    const of = optionKinds.text();

    expect(option.list({ summary, of }).kind.arity).toBe("one");
    expect(option.list({ summary, of, words: true }).kind.arity).toBe("words");
  });
});

describe("names", () => {
  it.each([
    ["rpcHttpPort", "rpc-http-port", "RPC_HTTP_PORT"],
    ["identity", "identity", "IDENTITY"],
    ["web3Enabled", "web3-enabled", "WEB3_ENABLED"],
    ["XdnsEnabled", "Xdns-enabled", "XDNS_ENABLED"],
    ["aB", "a-b", "A_B"],
  ])("%s is --%s and the variable %s", (key, name, variable) => {
    expect(toOptionName(key)).toBe(name);
    expect(toVariableName(name)).toBe(variable);
  });

  it("convert back to the same key, so no two keys share a name", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*$/), (key) => {
        const name = toOptionName(key);

        expect(name).toMatch(/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/);
        expect(name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())).toBe(key);
      }),
    );
  });
});
