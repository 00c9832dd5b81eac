import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { option } from "@plinth/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KnownCommand } from "../known-command.js";
import { formatCompletion, type Shell } from "./completion.js";
import { createConfig } from "./create-config.js";

const ZSH_SCRIPT = fileURLToPath(new URL("../../../test/support/complete.zsh", import.meta.url));

const load = async () => {
  throw new Error("completion loads no command");
};
const MARK = join(tmpdir(), `plinth-completion-ran-${process.pid}`);
/** Text that would be executed if a shell evaluated it. */
const HOSTILE = `"$(touch ${MARK})" \`touch ${MARK}\` \\$(touch ${MARK}) '\${x:-$(touch ${MARK})}' <% 1`;
const known = (id: string, flags: KnownCommand["flags"] = {}): KnownCommand => ({
  id,
  plugin: "third-party",
  summary: `Does "${id}" [at once] ${HOSTILE}.`,
  flags,
  load,
});
const commands = [
  known("rlp encode", { type: option.text({ summary: `Kind. ${HOSTILE}` }) }),
  known("rlp decode"),
  known("count", { from: option.integer({ summary: "First." }) }),
];
const options = [
  { name: "rpc-http-port", option: option.port({ summary: "Port of the node's listener [TCP]." }) },
  { name: "rpc-http-enabled", option: option.flag({ summary: "Serves HTTP." }) },
];

/** Lines, and the completions of their last word. */
const LINES: readonly [string, string, readonly string[]][] = [
  ["a partial command", "plinth co", ["commands", "count"]],
  ["a partial topic", "plinth rl", ["rlp"]],
  ["partial options", "plinth --rpc-http-p", ["--rpc-http-port"]],
  ["the commands of a topic", "plinth rlp ", ["decode", "encode"]],
  ["a command after options", "plinth --rpc-http-enabled --rpc-http-port 1 rlp en", ["encode"]],
  ["a command after an option with its value", "plinth --rpc-http-port=1 rlp en", ["encode"]],
  ["the flags of a command", "plinth rlp encode --t", ["--type"]],
  ["the flags of a command of one word", "plinth count --f", ["--from"]],
];

let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plinth-completion-"));
  const write = async (shell: Shell, name: string) =>
    writeFileSync(join(folder, name), await formatCompletion(shell, await configure(), options));
  await write("bash", "plinth.bash");
  await write("zsh", "_plinth");
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(MARK, { force: true });
});

function configure() {
  const execute = async () => 0;
  return createConfig({
    commands,
    options,
    pluginCommands: { home: folder, workingFolder: folder },
    word: "",
    execute,
    warn: () => {},
  });
}

describe("completion in bash", () => {
  it.each(LINES)("offers %s", (_, line, offered) => {
    expect(completeInBash(line)).toEqual(offered);
    expect(existsSync(MARK)).toBe(false);
  });

  it("completes nothing unknown", () => {
    expect(completeInBash("plinth rlp encode --no-such")).toEqual([]);
  });
});

describe.skipIf(spawnSync("zsh", ["--version"]).status !== 0)("completion in zsh", () => {
  it.each(LINES)("offers %s", (_, line, offered) => {
    const text = execFileSync("zsh", ["-f", ZSH_SCRIPT, folder, line], { encoding: "utf8" });

    expect(toSet(text)).toEqual(offered);
    expect(existsSync(MARK)).toBe(false);
  });
});

describe("completion in PowerShell", () => {
  it("has the commands with their flags", async () => {
    const script = await formatCompletion("powershell", await configure(), options);

    expect(script).not.toContain("$(touch");
    expect(script).toMatch(/"rlp" = @\{[\s\S]*"encode" = @\{[\s\S]*"type" = @\{/);
  });
});

function completeInBash(line: string): readonly string[] {
  const words = line.split(/ |(?<=^|\s\S+)(=)/).filter((word) => word !== undefined);
  const script = `source ${folder}/plinth.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plinth_autocomplete; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" });
  return toSet(text);
}

/** Shells show a word once, however often it is listed. */
function toSet(text: string): readonly string[] {
  return [...new Set(text.split("\n").filter((line) => line !== ""))].sort();
}
