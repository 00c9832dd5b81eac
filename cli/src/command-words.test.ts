import { command, option, optionKinds } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { readCommandWords } from "./command-words.js";

const definition = command({
  id: "blocks import",
  summary: "Imports blocks.",
  flags: {
    from: option.list({ summary: "Files.", of: optionKinds.text() }),
    run: option.flag({ summary: "Goes on." }),
  },
  args: { placeholder: "FILE", summary: "Files.", min: 0, max: 2 },
  run: async () => {},
});

describe("the arguments of a command", () => {
  it("are flags and positional arguments in any order", () => {
    const { flags, args } = readCommandWords(definition, ["a.rlp", "--run", "b.rlp", "--from=c"]);

    expect(args).toEqual(["a.rlp", "b.rlp"]);
    expect(flags).toEqual({ from: ["c"], run: true });
  });

  it("request help anywhere", () => {
    expect(readCommandWords(definition, ["a", "b", "c", "--help"]).help).toBe(true);
  });

  it("are rejected if there are too many", () => {
    expect(() => readCommandWords(definition, ["a", "b", "c"])).toThrow(
      "Unmatched argument at index 2: 'c'",
    );
  });

  it("are rejected if one is missing", () => {
    const wanting = {
      ...definition,
      args: { ...definition.args, placeholder: "FILE", summary: "", min: 1, max: 1 },
    };

    expect(() => readCommandWords(wanting, [])).toThrow(/^Missing required parameter: '<FILE>'/);
  });
});
