import { describe, expect, it } from "vitest";
import { findCommand } from "./argv.js";

const commands = new Set([
  ...["rlp encode", "rlp decode", "validate-config", "storage trie-log prune"],
  ...["network", "network stop"],
]);

describe("the arguments after the node's options", () => {
  it.each([
    [["rlp", "encode", "--to=x"], "rlp encode", ["--to=x"]],
    [["validate-config", "a", "b"], "validate-config", ["a", "b"]],
    [["storage", "trie-log", "prune"], "storage trie-log prune", []],
    [["network", "--nodes=4"], "network", ["--nodes=4"]],
    [["network"], "network", []],
    [["network", "stop", "--x"], "network stop", ["--x"]],
  ])("name a command: %j", (words, id, rest) => {
    expect(findCommand(words, commands)).toEqual({ kind: "command", id, rest });
  });

  it.each([
    [["rlp"], "rlp", []],
    [["storage", "trie-log"], "storage trie-log", []],
    [["rlp", "--help"], "rlp", ["--help"]],
  ])("name a group: %j", (words, group, rest) => {
    expect(findCommand(words, commands)).toEqual({ kind: "group", words: group, rest });
  });

  it.each([
    [["rpl"], "Unmatched argument at index 0: 'rpl'", ["Possible solutions: rlp"]],
    [["rlp", "encod"], "Unmatched argument at index 1: 'encod'", ["Possible solutions: encode"]],
    [["zzzzzz"], "Unmatched argument at index 0: 'zzzzzz'", []],
  ])("are rejected if no command matches: %j", (words, message, hints) => {
    expect(() => findCommand(words, commands)).toThrow(
      expect.objectContaining({ message, details: { hints } }),
    );
  });
});
