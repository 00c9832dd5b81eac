import { option, optionKinds } from "@plinth/core";
import { OptionSchema } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { parseWords } from "./grammar.js";

const schema = new OptionSchema();
schema.declare("test", {
  port: option.port({ summary: "A port." }),
  enabled: option.flag({ summary: "A flag." }),
  strict: option.boolean({ summary: "A boolean that needs a value." }),
  api: option.list({ summary: "Words.", of: optionKinds.text(), words: true, aliases: ["apis"] }),
  hosts: option.list({ summary: "Commas only.", of: optionKinds.text() }),
  logging: option.text({ summary: "A level." }),
  score: option.integer({ summary: "A number." }),
});

const parse = (line: string) => parseWords(line.split(" ").filter(Boolean), schema);
const valuesOf = (line: string) => Object.fromEntries(parse(line).values);

describe("the option grammar", () => {
  it.each([
    ["--port=1", { port: "1" }],
    ["--port 1", { port: "1" }],
    ["--enabled", { enabled: "true" }],
    ["--enabled=false", { enabled: "false" }],
    ["--enabled false --port 1", { enabled: "false", port: "1" }],
    ["--strict=true", { strict: "true" }],
    ["--api=ETH,NET", { api: "ETH,NET" }],
    ["--api ETH NET --enabled", { api: "ETH,NET", enabled: "true" }],
    ["--api ETH, NET", { api: "ETH,,NET" }],
    ["--api=ETH --api=NET", { api: "ETH,NET" }],
    ["--apis=ETH --api NET", { api: "ETH,NET" }],
    ["--hosts=a,b --hosts=c", { hosts: "a,b,c" }],
    ["-l DEBUG", { logging: "DEBUG" }],
    ["-l=DEBUG", { logging: "DEBUG" }],
    ["--score -128", { score: "-128" }],
    ["--logging=", { logging: "" }],
  ])("reads %s", (line, values) => {
    expect(valuesOf(line)).toEqual(values);
  });

  it("stops at the first argument that is not an option", () => {
    const { values, rest } = parse("--port 1 rlp encode --port=2");

    expect(Object.fromEntries(values)).toEqual({ port: "1" });
    expect(rest).toEqual(["rlp", "encode", "--port=2"]);
  });

  it("takes one argument after an option with a value", () => {
    expect(parse("--hosts a b").rest).toEqual(["b"]);
  });

  it.each([
    ["-h", "help"],
    ["--help", "help"],
    ["-V", "version"],
    ["--version", "version"],
    ["-X", "Xhelp"],
    ["--Xhelp", "Xhelp"],
  ])("recognizes the switch %s", (word, name) => {
    expect([...parse(word).switches]).toEqual([name]);
  });

  it.each([
    ["--prot=1", "OPTION_UNKNOWN", "Unknown option: '--prot'"],
    ["-p", "OPTION_UNKNOWN", "Unknown option: '-p'"],
    ["--port", "OPTION_VALUE_MISSING", "Missing required parameter for option '--port' (<PORT>)"],
    [
      "--port --enabled",
      "OPTION_VALUE_MISSING",
      "Missing required parameter for option '--port' (<PORT>)",
    ],
    [
      "--strict",
      "OPTION_VALUE_MISSING",
      "Missing required parameter for option '--strict' (<true|false>)",
    ],
    [
      "--port=1 --port=2",
      "OPTION_REPEATED",
      "option '--port' (<PORT>) should be specified only once",
    ],
  ])("refuses %s", (line, code, message) => {
    expect(() => parse(line)).toThrow(expect.objectContaining({ code, message }));
  });

  it("suggests similar options", () => {
    expect(() => parse("--prot=1")).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ hints: ["Possible solutions: --port"] }),
      }),
    );
  });
});
