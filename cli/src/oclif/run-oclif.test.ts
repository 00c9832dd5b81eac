import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, option } from "@plinth/core";
import type { Node } from "@plinth/node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { KnownCommand } from "../known-command.js";
import { createConfig } from "./create-config.js";
import { OCLIF_COMMANDS } from "./oclif-commands.js";
import { fromOclifId } from "./oclif-id.js";
import { runOclif } from "./run-oclif.js";

let home = "";
let written = "";
const warnings: string[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "plinth-oclif-"));
  written = "";
  warnings.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
  // The output of oclif itself.
  vi.spyOn(console, "log").mockImplementation((text) => {
    written += `${text}\n`;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

const encode = command({
  id: "rlp encode",
  summary: "Encodes a list.",
  examples: ["plinth rlp encode --type=QBFT a.json"],
  flags: {
    type: option.text({ summary: "Kind of data.", default: "IBFT" }),
    quiet: option.flag({ summary: "Says nothing." }),
  },
  args: { placeholder: "FILE", summary: "Which one.", min: 1, max: 1 },
  run: async () => {},
});
let loads = 0;
const known: KnownCommand = {
  ...encode,
  plugin: "cmd-rlp",
  load: async () => {
    loads += 1;
    return { command: encode, node: {} as Node };
  },
};

const run = (words: readonly string[], execute = async () => 0) =>
  runOclif(words, {
    commands: [known],
    options: [],
    pluginCommands: { home, workingFolder: home },
    execute,
    warn: (message) => warnings.push(message),
  });

describe("a command of ours", () => {
  it("runs with the arguments after its name, and its result is the exit code", async () => {
    const execute = vi.fn(async () => 7);

    expect(await run(["rlp", "encode", "a", "--quiet"], execute)).toBe(7);
    expect(execute).toHaveBeenCalledWith(expect.objectContaining({ command: encode }), [
      "a",
      "--quiet",
    ]);
  });

  it("throws its own errors", async () => {
    const error = new Error("no");

    await expect(run(["rlp", "encode"], () => Promise.reject(error))).rejects.toBe(error);
  });

  it.each(["--help", "-h"])("is described by oclif without being loaded: %s", async (word) => {
    loads = 0;

    expect(await run(["rlp", "encode", "a", "b", word])).toBe(0);
    expect(written).toBe(
      [
        "Encodes a list.",
        "",
        "USAGE",
        "  $ plinth rlp encode FILE [-h] [--type <TEXT>] [--quiet]",
        "",
        "ARGUMENTS",
        "  FILE  Which one.",
        "",
        "FLAGS",
        "  -h, --help         Shows this help.",
        "      --type=<TEXT>  [default: IBFT] Kind of data.",
        "      --quiet        Says nothing.",
        "",
        "EXAMPLES",
        "  $ plinth rlp encode --type=QBFT a.json",
        "",
        "",
      ].join("\n"),
    );
    expect(loads).toBe(0);
  });

  it("does not hide an unknown flag behind its help", async () => {
    await expect(run(["rlp", "encode", "--tipe", "--help"])).rejects.toThrow(
      "Unknown option: '--tipe'",
    );
  });

  it.each([[["rlp"]], [["rlp", "--help"]]])("is listed by its topic: %j", async (words) => {
    expect(await run(words)).toBe(0);
    expect(written).toContain("USAGE\n  $ plinth rlp COMMAND\n");
    expect(written).toContain("COMMANDS\n  rlp encode  Encodes a list.\n");
  });

  it("is suggested for a misspelled one", async () => {
    await expect(run(["rlp", "encod"])).rejects.toMatchObject({
      message: "Unmatched argument at index 1: 'encod'",
      details: { hints: ["Possible solutions: encode"] },
    });
  });
});

describe("an oclif plugin", () => {
  it("runs its commands", async () => {
    install("hello", { "greet.js": commandThat("process.stdout.write('hello ' + argv + '\\n')") });

    expect(await run(["greet", "Ada"])).toBe(0);
    expect(written).toBe("hello Ada\n");
  });

  it("hooks into commands of ours", async () => {
    install(
      "watcher",
      {},
      { init: "./hook", prerun: "./hook", postrun: "./hook", finally: "./hook" },
    );
    const hook =
      "module.exports = async ({ id, Command }) => process.stdout.write((id ?? Command.id) + ' ');";
    write("node_modules/watcher/hook.js", hook);

    await run(["rlp", "encode", "a"], async () => {
      written += "runs ";
      return 0;
    });

    expect(written).toBe("rlp:encode rlp:encode runs rlp:encode rlp:encode ");
  });

  it("that throws while it is loaded is reported, and the rest works", async () => {
    install("broken", { "broken.js": "throw new Error('no such thing')" });
    install("hello", { "greet.js": commandThat("process.stdout.write('hello\\n')") });

    expect(await run(["greet"])).toBe(0);
    expect(written).toBe("hello\n");
    expect(warnings).toEqual(['plugin "broken" cannot be loaded: no such thing']);
  });

  it("that throws when its command is run is reported", async () => {
    install("broken", { "broken.js": "throw new Error('no such thing')" });
    const manifest = { version: "1.0.0", commands: { broken: { id: "broken", flags: {} } } };
    write("node_modules/broken/oclif.manifest.json", JSON.stringify(manifest));

    await expect(run(["broken"])).rejects.toMatchObject({
      code: "PLUGIN_UNLOADABLE",
      message: 'plugin "broken" cannot be loaded: no such thing',
    });
  });

  it.each([
    ["the list of them", "package.json"],
    ["its package.json", "node_modules/broken/package.json"],
  ])("is skipped if %s cannot be read, and the rest works", async (_, path) => {
    install("broken", {});
    write(path, "{");

    expect(await run(["rlp", "encode", "a"])).toBe(0);
    expect(warnings).toEqual([expect.stringContaining(`${join(home, path)} cannot be read: `)]);
  });

  it("does not override a command of another, and both are reported", async () => {
    install("first", { "greet.js": commandThat("process.stdout.write('first\\n')") });
    install("second", {
      "greet.js": commandThat("process.stdout.write('second\\n')"),
      "rlp/encode.js": commandThat(""),
    });

    expect(await run(["greet"])).toBe(0);
    expect(written).toBe("first\n");
    expect(warnings.sort()).toEqual([
      'the command "greet" of second is skipped: first has it',
      'the command "rlp encode" of second is skipped: cmd-rlp has it',
    ]);
  });
});

describe("commands of oclif's own plugins", () => {
  it("are listed with our summaries, and none is missing", async () => {
    const config = await createConfig({
      commands: [],
      options: [],
      word: "commands",
      pluginCommands: { home, workingFolder: home },
      execute: async () => 0,
      warn: () => {},
    });
    const listed = config.getPluginsList().flatMap((plugin) => plugin.commands);
    const shown = listed.filter(({ hidden }) => hidden !== true);

    expect(shown.map(({ id, summary }) => ({ id: fromOclifId(id), summary })).sort(byId)).toEqual(
      OCLIF_COMMANDS.map(({ id, summary }) => ({ id, summary })).sort(byId),
    );
  });
});

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}

const installed: { readonly name: string; readonly type: string }[] = [];
beforeEach(() => {
  installed.length = 0;
});

function install(name: string, files: Readonly<Record<string, string>>, hooks = {}): void {
  installed.push({ name, type: "user" });
  const dependencies = Object.fromEntries(installed.map((each) => [each.name, "1.0.0"]));
  write("package.json", JSON.stringify({ dependencies, oclif: { plugins: installed } }));
  const manifest = { name, version: "1.0.0", oclif: { commands: "./commands", hooks } };
  write(`node_modules/${name}/package.json`, JSON.stringify(manifest));
  for (const [file, content] of Object.entries(files)) {
    write(`node_modules/${name}/commands/${file}`, content);
  }
}

function commandThat(does: string): string {
  return `module.exports = class { static async run(argv) { ${does} } };\n`;
}

function write(path: string, content: string): void {
  mkdirSync(join(home, path, ".."), { recursive: true });
  writeFileSync(join(home, path), content);
}
