import { execFileSync } from "node:child_process";
import { option } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { formatCompletion } from "./completion.js";

const content = {
  options: [
    { name: "rpc-http-port", option: option.port({ summary: "Port of the node's listener." }) },
    { name: "rpc-http-host", option: option.host({ summary: "Host." }) },
  ],
  commands: [
    { id: "rlp encode", summary: "Encodes.", flags: { type: option.text({ summary: "Kind." }) } },
    { id: "rlp decode", summary: "Decodes.", flags: {} },
    { id: "count", summary: "Counts.", flags: { from: option.integer({ summary: "First." }) } },
  ],
};

describe("completion in bash", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["commands and options", [""], ["rlp", "count", "--rpc-http-port", "--rpc-http-host"]],
    ["a command that was begun", ["co"], ["count"]],
    ["options that were begun", ["--rpc-http-p"], ["--rpc-http-port"]],
    ["the commands of a group", ["rlp", ""], ["encode", "decode"]],
    ["a command after options", ["--rpc-http-port", "1", "rlp", "en"], ["encode"]],
    ["the flags of a command", ["rlp", "encode", "--"], ["--type"]],
    ["the flags of a command of one word", ["count", "--"], ["--from"]],
  ])("offers %s", (_, words, offered) => {
    expect(complete(words)).toEqual(offered);
  });

  it("offers nothing that it does not know", () => {
    expect(complete(["rlp", "encode", "--no-such"])).toEqual([]);
  });
});

describe("completion in other shells", () => {
  it("is that of bash in zsh", () => {
    expect(formatCompletion("zsh", content)).toContain("bashcompinit");
    expect(formatCompletion("zsh", content)).toContain("complete -F _plinth plinth");
  });

  it("has a line for each word in fish, with its meaning", () => {
    const lines = formatCompletion("fish", content).split("\n");

    expect(lines).toContain(
      "complete -c plinth -n 'test (__plinth_path) = \\'rlp\\'' -f -a encode -d 'Encodes.'",
    );
    expect(lines).toContain(
      "complete -c plinth -n 'test (__plinth_path) = \\'\\'' -l rpc-http-port -d 'Port of the node\\'s listener.'",
    );
    expect(lines.filter((line) => line.startsWith("complete "))).toHaveLength(8);
  });
});

/** What bash offers for the last of these words. */
function complete(words: readonly string[]): readonly string[] {
  const script = [
    formatCompletion("bash", content),
    `COMP_WORDS=(plinth "$@"); COMP_CWORD=$#; _plinth; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join("\n");
  const folder = import.meta.dirname;
  const text = execFileSync("bash", ["-c", script, "bash", ...words], {
    encoding: "utf8",
    cwd: folder,
  });
  return text.split("\n").filter((line) => line !== "");
}
