import { type Option, option, optionKinds } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { formOf, optionOf } from "./option-form.js";

const summary = "What it is for.";

const OPTIONS: readonly (readonly [string, Option<never>, string, unknown])[] = [
  ["flag", option.flag({ summary, default: true }), "false", false],
  ["boolean", option.boolean({ summary, default: false }), "true", true],
  ["integer", option.integer({ summary, default: 5, min: 1, max: 9 }), "7", 7],
  ["decimal", option.decimal({ summary, default: 0.5 }), "1.5", 1.5],
  ["wei", option.wei({ summary, default: 10n ** 18n }), "12", 12n],
  ["percent", option.percent({ summary, default: 10 }), "20", 20],
  ["fraction", option.fraction({ summary, default: 0.1 }), "0.2", 0.2],
  ["text", option.text({ summary, default: "a, b" }), "c", "c"],
  ["path", option.path({ summary, default: "/tmp/x" }), "/y", "/y"],
  ["host", option.host({ summary, default: "localhost" }), "::1", "::1"],
  ["port", option.port({ summary, default: 8545 }), "1", 1],
  ["address", option.address({ summary }), `0x${"11".repeat(20)}`, `0x${"11".repeat(20)}`],
  ["hex", option.hex({ summary, default: new Uint8Array([1, 2]) }), "0x03", new Uint8Array([3])],
  ["oneOf", option.oneOf(["A", "B"], { summary, default: "A" }), "b", "B"],
  ["list", option.list({ summary, of: optionKinds.port(), default: [1] }), "2,3", [2, 3]],
  [
    "map",
    option.map({ summary, of: optionKinds.integer(), default: new Map([["a", 1]]) }),
    "b=2",
    new Map([["b", 2]]),
  ],
].map(([name, each, text, value]) => [name, each, text, value] as never);

describe("an option as data", () => {
  it.each(OPTIONS)("recreates the same option: %s", (_, given, text, value) => {
    const form = JSON.parse(JSON.stringify(formOf(given)));
    const made = optionOf(form);

    expect(made.default).toEqual(given.default);
    expect(made.kind.parse(text, {})).toEqual(value);
    expect(formOf(made)).toEqual(formOf(given));
    expect(form.hasRules).toBeUndefined();
  });

  it("keeps the bounds of values", () => {
    const { kind } = optionOf(formOf(option.integer({ summary, min: 1, max: 9 })));

    expect(() => kind.parse("10", {})).toThrow("'10' is not in the range 1 to 9");
  });

  it.each([
    ["its own validation", option.text({ summary, validate: () => "never" })],
    ["values without effect", option.text({ summary, noEffect: () => "always" })],
    [
      "a kind defined by a plugin",
      option.list({ summary, of: { ...optionKinds.text(), form: undefined } }),
    ],
  ])("states that only its plugin can parse it: %s", (_, given) => {
    expect(formOf(given as Option<unknown>).hasRules).toBe(true);
  });

  it("has aliases, required flags and experimental status", () => {
    const given = option.flag({ summary, aliases: ["old"], needs: "other", experimental: true });

    expect(optionOf(formOf(given))).toMatchObject({
      aliases: ["old"],
      needs: "other",
      experimental: true,
    });
  });
});
