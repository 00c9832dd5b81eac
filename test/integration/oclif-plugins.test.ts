import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const NAME = "oclif-plugin-from-a-test";

/** A home, with a program that runs in it. */
function openHome() {
  const folder = temporaryFolder();
  const run = (...words: string[]) => runProgram(words, { folder: folder.path });
  return { folder, run, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("an oclif plugin", () => {
  it("runs its commands in plinth, is listed, described and completed", async () => {
    using home = openHome();
    writePlugin(home.folder, NAME, { "greet/loudly.js": greeting("HELLO") });

    const installed = await home.run("plugins", "install", `./${NAME}`);
    const [all, greeted, help, commands, completion, inspected] = await Promise.all([
      home.run("--help=all"),
      home.run("greet", "loudly", "Ada", "--twice"),
      home.run("greet", "loudly", "--help"),
      home.run("commands", "--json"),
      home.run("generate-completion"),
      home.run("plugins", "inspect", NAME),
    ]);

    expect(installed.stdout).toContain(
      `oclif plugin from ${NAME} 1.0.0. It adds\n  commands: greet loudly\n`,
    );
    expect(greeted).toEqual({ code: 0, stdout: "HELLO Ada --twice\n", stderr: "" });
    expect(all.stdout).toContain("\n  greet loudly\n      Greets.\n");
    expect(help.stdout).toContain("USAGE\n  $ plinth greet loudly");
    expect(JSON.parse(commands.stdout)).toContainEqual(
      expect.objectContaining({ id: "greet:loudly", pluginName: NAME }),
    );
    expect(completion.stdout).toContain("\ngreet:loudly --tone\n");
    expect(inspected.stdout).toContain("commands: greet loudly");
  });

  it.each([
    ["a tarball", "install", pack],
    ["a link", "link", (folder: TemporaryFolder) => folder.file(NAME)],
  ])("is installed from %s and removed, and its scripts never run", async (_, verb, source) => {
    using home = openHome();
    const witness = home.folder.file("witness");
    writePlugin(home.folder, NAME, { "greet.js": greeting("Hello") }, witness);

    const installed = await home.run("plugins", verb, source(home.folder));
    const greeted = await home.run("greet", "Ada");
    const removed = await home.run("plugins", "uninstall", NAME);
    const gone = await home.run("greet");

    expect(installed.code).toBe(0);
    expect(greeted).toEqual({ code: 0, stdout: "Hello Ada\n", stderr: "" });
    expect(removed.code).toBe(0);
    expect(gone.stderr).toMatch(/^Unmatched argument at index 0: 'greet'/);
    expect(existsSync(witness)).toBe(false);
  });

  it("that throws while it is loaded is not installed", async () => {
    using home = openHome();
    writePlugin(home.folder, NAME, { "greet.js": "throw new Error('no such thing');" });

    const { code, stderr } = await home.run("plugins", "install", `./${NAME}`);
    const listed = await home.run("plugins");

    expect(stderr).toContain(`plugin "${NAME}" cannot be loaded: no such thing`);
    expect(code).toBe(2);
    expect(listed.stdout).toMatch(/^No plugin is installed in /);
  });

  it("that can no longer be loaded is reported, and the rest works", async () => {
    using home = openHome();
    writePlugin(home.folder, NAME, { "greet.js": greeting("Hello") });
    await home.run("plugins", "link", `./${NAME}`);
    writePlugin(home.folder, NAME, { "greet.js": "throw new Error('no such thing');" });

    const order = await home.run("plugins", "order");
    const listed = await home.run("plugins");
    const removed = await home.run("plugins", "unlink", NAME);

    expect(order).toMatchObject({
      code: 0,
      stderr: `plugin "${NAME}" cannot be loaded: no such thing\n`,
    });
    expect(listed.stdout).toContain(`plugin "${NAME}" cannot be loaded: no such thing`);
    expect(removed.code).toBe(0);
  });

  it("whose hook ends every command is reported as by oclif, and can be removed", async () => {
    using home = openHome();
    writePlugin(home.folder, NAME, { "greet.js": greeting("Hello") });
    await home.run("plugins", "link", `./${NAME}`);
    const path = home.folder.file(`${NAME}/package.json`);
    const about = JSON.parse(readFileSync(path, "utf8"));
    about.oclif.hooks = { init: "./init.cjs" };
    writeFileSync(path, JSON.stringify(about));
    const hook = home.folder.file(`${NAME}/init.cjs`);
    writeFileSync(hook, 'module.exports = function () { this.error("not today", { exit: 9 }); };');

    const encoded = await home.run("rlp", "encode", "--help");
    writeFileSync(hook, "module.exports = () => process.exit(9);");
    const removed = await home.run("plugins", "unlink", NAME);
    const again = await home.run("rlp", "encode", "--help");

    expect(encoded).toMatchObject({
      code: 9,
      stderr: expect.stringMatching(/Error: not today\n$/),
    });
    expect([removed.code, again.code]).toEqual([0, 0]);
  });

  it("does not override the command of another, and both are reported", async () => {
    using home = openHome();
    writePlugin(home.folder, NAME, { "greet.js": greeting("first") });
    writePlugin(home.folder, "other", {
      "greet.js": greeting("second"),
      "config.js": greeting(""),
    });
    await home.run("plugins", "link", `./${NAME}`);
    await home.run("plugins", "link", "./other");

    const { stdout, stderr } = await home.run("greet");

    expect(stdout).toBe("first \n");
    expect(stderr.trim().split("\n").sort()).toEqual([
      'the command "config" of other is skipped: plinth has it',
      `the command "greet" of other is skipped: ${NAME} has it`,
    ]);
  });
});

describe("plinth plugins", () => {
  it.each([
    [["plugins", "lst"], "Unmatched argument at index 1: 'lst'\nPossible solutions: list"],
    [["plugins", "list", "x"], "Unexpected argument: x"],
    [["plugins", "list", "--jsn"], "Nonexistent flag: --jsn"],
    [
      ["plugins", "install"],
      "Missing required parameter: '<NAME|FOLDER|TARBALL>'; usage: plinth plugins install NAME|FOLDER|TARBALL\n",
    ],
    [
      ["plugins", "remove"],
      "Missing required parameter: '<NAME>'; usage: plinth plugins uninstall NAME\n",
    ],
  ])("refuses %j", async (words, text) => {
    using home = openHome();

    const { code, stderr } = await home.run(...words);

    expect(stderr).toContain(text);
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(2);
  });
});

describe.skipIf(process.env.PLINTH_REGISTRY === undefined)(
  "an oclif plugin of the registry",
  () => {
    it("is installed, runs, is updated and is uninstalled", async () => {
      using folder = temporaryFolder();
      const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" });
      const environment = { npm_config_registry: registry.trim() };
      const run = (...words: string[]) => runProgram(words, { folder: folder.path, environment });

      const installed = await run("plugins", "install", "@oclif/plugin-version@2.2.0");
      const version = await run("version", "--json");
      const updated = await run("plugins", "update");
      const removed = await run("plugins", "uninstall", "@oclif/plugin-version");
      const gone = await run("version");

      expect(installed.stdout).toContain(
        "oclif plugin from @oclif/plugin-version 2.2.0. It adds\n  commands: version",
      );
      expect(JSON.parse(version.stdout)).toMatchObject({
        cliVersion: expect.stringMatching(/^plinth\//),
      });
      expect(updated.stdout).toMatch(
        /@oclif\/plugin-version 2\.2\.0 is now \d+\.\d+\.\d+\. It adds/,
      );
      expect(removed.code).toBe(0);
      expect(gone.code).toBe(2);
    }, 120_000);
  },
);

function writePlugin(
  folder: TemporaryFolder,
  name: string,
  commands: Readonly<Record<string, string>>,
  witness?: string,
): void {
  const touch = `touch ${witness}`;
  const scripts =
    witness === undefined
      ? {}
      : { preinstall: touch, install: touch, postinstall: touch, prepare: touch };
  const manifest = { name, version: "1.0.0", scripts, oclif: { commands: "./commands" } };
  write(folder.file(name, "package.json"), JSON.stringify(manifest));
  for (const [file, content] of Object.entries(commands)) {
    write(folder.file(name, "commands", file), content);
  }
}

/** A command that needs nothing of oclif's core, so that nothing is downloaded. */
function greeting(word: string): string {
  return `module.exports = class {
    static summary = "Greets.";
    static flags = { tone: { type: "option", summary: "Tone of voice." } };
    static async run(argv) { console.log("${word} " + argv.join(" ")); }
  };\n`;
}

function write(path: string, content: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
}

function pack(folder: TemporaryFolder): string {
  const words = ["pack", "--silent", "--ignore-scripts", `--pack-destination=${folder.path}`];
  const output = execFileSync("npm", words, { cwd: folder.file(NAME), encoding: "utf8" });
  return folder.file(output.trim());
}
