import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type Ended,
  environmentOf,
  GENESIS,
  PROGRAM,
  ROOT,
  runProgram,
  startNode,
} from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const EXAMPLE = join(ROOT, "examples/plugin-rpc");
const NAME = "plinth-example-greeting";
/** Every case takes seconds, because npm runs. `npm run long -- registry` runs all of them. */
const isLong = process.env.PLINTH_REGISTRY !== undefined;

const CONFIG = `
plugins = ["${NAME}"]
genesis-file = ${JSON.stringify(GENESIS)}
rpc-http-enabled = true
rpc-http-api = ["GREETING", "WEB3"]
greeting-word = "Salut"
`;

describe("plinth plugins install", () => {
  /** A home in which the example is installed. */
  let home: TemporaryFolder;
  let installed: Ended;
  beforeAll(async () => {
    home = temporaryFolder();
    installed = await runProgram(["plugins", "install", EXAMPLE], { folder: home.path });
    expect(installed.code).toBe(0);
  });
  afterAll(() => home[Symbol.dispose]());

  const copyInstalled = (folder: TemporaryFolder) =>
    cpSync(home.file(".local"), folder.file(".local"), { recursive: true });

  it("installs a folder for nodes that start elsewhere", async () => {
    using folder = temporaryFolder();
    copyInstalled(folder);

    await expectInstalled(installed, folder);
  });

  it("installs a tarball for nodes that start elsewhere", async () => {
    using folder = temporaryFolder();

    const words = ["plugins", "install", pack(folder)];

    await expectInstalled(await runProgram(words, { folder: folder.path }), folder);
  });

  /** Expects the report of an installation, and that commands and nodes have the plugin. */
  async function expectInstalled(ended: Ended, folder: TemporaryFolder): Promise<void> {
    const run = (...words: string[]) => runProgram(words, { folder: folder.path });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^plinth: Installing plugin .*\.\.\. installed v0\.1\.0\n$/);
    expect(ended.stdout).toContain(`plugins = ["${NAME}"]`);
    expect(ended.stdout).toContain(
      "It adds\n  options: --greeting-word\n  methods: greeting_say\n  commands: greeting print\n",
    );
    writeFileSync(folder.file("plinth.toml"), CONFIG);
    const help = await run("--config-file=plinth.toml", "--help=all");
    expect(help.stdout).toContain("Options of rpc-greeting:\n  --greeting-word=<TEXT>");
    const printed = await run("--config-file=plinth.toml", "greeting", "print", "--name", "Ada");
    expect(printed.stdout).toBe("Salut, Ada!\n");
    await using node = await startNode(["--config-file=plinth.toml"], { folder: folder.path });
    expect(await node.rpc("greeting_say", ["Ada"])).toBe("Salut, Ada!");
  }

  it("adds commands, but nothing to a node, if no configuration lists the plugin", async () => {
    using folder = temporaryFolder();
    copyInstalled(folder);
    const run = (...words: string[]) => runProgram(words, { folder: folder.path });

    const { stdout } = await run("--help=all");

    expect(stdout).toContain("  greeting print\n      Prints a greeting.");
    expect(stdout).not.toContain("--greeting-word");
    expect((await run("greeting", "print", "--name=Ada")).stdout).toBe("Hello, Ada!\n");
    expect((await run("plugins", "order")).stdout).not.toContain("greeting");
  });

  it.each(isLong ? [NAME, "rpc-greeting"] : [NAME])(
    "excludes the plugins in `without`: %s",
    async (name) => {
      using folder = temporaryFolder();
      copyInstalled(folder);
      const config = `plugins = ["${NAME}"]\nwithout = ["${name}"]\n`;
      writeFileSync(folder.file("plinth.toml"), config);

      await using node = await startNode(
        ["--config-file=plinth.toml", `--genesis-file=${GENESIS}`, "--rpc-http-enabled"],
        { folder: folder.path },
      );

      await expect(node.rpc("greeting_say")).rejects.toMatchObject({ code: -32601 });
    },
  );

  it("never runs install scripts", async () => {
    using folder = temporaryFolder();
    const witness = folder.file("witness");
    writePackage(folder, {
      scripts: {
        preinstall: `touch ${witness}`,
        install: `touch ${witness}`,
        postinstall: `touch ${witness}`,
      },
    });

    const environment = { npm_config_ignore_scripts: "false", NPM_CONFIG_IGNORE_SCRIPTS: "false" };
    const run = (...words: string[]) => runProgram(words, { folder: folder.path, environment });

    const installed = await run("plugins", "install", "./package");
    const twice = await run("plugins", "link", "./package");
    await run("plugins", "uninstall", "plinth-from-a-test");
    const linked = await run("plugins", "link", "./package");

    expect(installed.code).toBe(0);
    expect(twice.stderr).toContain('package "plinth-from-a-test" cannot be installed and linked');
    expect(linked.code).toBe(0);
    expect(existsSync(witness)).toBe(false);
  });

  it.runIf(isLong)(
    "finds plugins beside the configuration file before installed ones",
    async () => {
      using folder = temporaryFolder();
      copyInstalled(folder);
      const local = folder.file("network", "node_modules", NAME);
      writePackage(folder, { name: NAME }, local);
      writeFileSync(folder.file("network", "plinth.toml"), `plugins = ["${NAME}"]\n`);

      const { stdout } = await runProgram(
        ["--config-file=network/plinth.toml", "plugins", "order"],
        {
          folder: folder.path,
        },
      );

      expect(stdout).toContain("from-a-test");
    },
  );

  it("reverts a package that is not a plugin", async () => {
    using folder = temporaryFolder();
    writePackage(folder, {});
    writeFileSync(folder.file("package", "index.js"), "export default 7;\n");

    const { code, stderr } = await runProgram(["plugins", "install", "./package"], {
      folder: folder.path,
    });

    expect(stderr).toContain('"plinth-from-a-test" is not a plugin');
    expect(code).toBe(2);
    expect(existsSync(folder.file(".local/share/plinth/node_modules/plinth-from-a-test"))).toBe(
      false,
    );
  });

  it.runIf(isLong)("reverts one for another core, from the folder set by a variable", async () => {
    using folder = temporaryFolder();
    const environment = { PLINTH_PLUGINS_HOME: folder.file("own") };
    const run = (...words: string[]) => runProgram(words, { folder: folder.path, environment });
    writePackage(folder, {});
    await run("plugins", "install", "./package");
    const other = { name: "plinth-future", peerDependencies: { "@plinth/core": "^7.0.0" } };
    writePackage(folder, other, folder.file("future"));

    const { code, stderr } = await run("plugins", "install", "./future");

    expect(stderr).toContain(
      'plugin "plinth-future" 1.0.0 was made for @plinth/core ^7.0.0; this node has',
    );
    expect(code).toBe(2);
    expect(readdirSync(folder.file("own/node_modules"))).toEqual([
      ".package-lock.json",
      "plinth-from-a-test",
    ]);
    expect(existsSync(folder.file(".local"))).toBe(false);
  });

  it("removes a plugin again", async () => {
    using folder = temporaryFolder();
    copyInstalled(folder);

    const { code } = await runProgram(["plugins", "remove", NAME], { folder: folder.path });

    expect(code).toBe(0);
    const again = await runProgram(["plugins", "remove", NAME], { folder: folder.path });
    expect(again.stderr).toContain(`no package "${NAME}" is installed`);
    expect(again.code).toBe(2);
  });

  it("lists installed plugins and their contents", async () => {
    using folder = temporaryFolder();
    const run = (...words: string[]) => runProgram(words, { folder: folder.path });
    const before = await run("plugins", "list");
    copyInstalled(folder);

    const { code, stdout } = await run("plugins", "list");

    expect(before.stdout).toMatch(/^No plugin is installed in /);
    expect(stdout).toContain(
      `${NAME} 0.1.0\n  options: --greeting-word\n  methods: greeting_say\n`,
    );
    expect(stdout).toContain("  loaded: when it is needed\n");
    expect(code).toBe(0);
  });

  it.runIf(isLong)("updates a plugin from its source", async () => {
    using folder = temporaryFolder();
    const run = (...words: string[]) => runProgram(words, { folder: folder.path });
    writePackage(folder, {});
    await run("plugins", "install", "./package");
    writePackage(folder, { version: "1.1.0" });

    const updated = await run("plugins", "update");
    const unknown = await run("plugins", "update", "plinth-unknown");

    expect(updated.stdout).toContain("plinth-from-a-test 1.0.0 is now 1.1.0. It adds");
    expect(unknown.stderr).toContain('no package "plinth-unknown" is installed');
    expect(unknown.code).toBe(2);
  });

  it.runIf(isLong)("keeps plugins installed before oclif was used", async () => {
    using folder = temporaryFolder();
    copyInstalled(folder);
    const manifest = folder.file(".local/share/plinth/package.json");
    const { dependencies } = JSON.parse(readFileSync(manifest, "utf8"));
    writeFileSync(
      manifest,
      JSON.stringify({ name: "plinth-plugins", private: true, dependencies }),
    );
    const run = (...words: string[]) => runProgram(words, { folder: folder.path });

    const listed = await run("plugins");
    const updated = await run("plugins", "update", NAME);
    const removed = await run("plugins", "uninstall", NAME);

    expect(listed.stdout).toContain(`${NAME} 0.1.0\n  options: --greeting-word\n`);
    expect(updated.stdout).toContain(`${NAME} is still 0.1.0. It adds`);
    expect(removed.code).toBe(0);
  });

  it.runIf(isLong)("uses a linked plugin from its folder, until it is unlinked", async () => {
    using folder = temporaryFolder();
    using project = temporaryFolder();
    const run = (...words: string[]) => runProgram(words, { folder: folder.path });
    writePackage(project, {});
    writeFileSync(project.file("package", "index.js"), withCommand("first"));

    const linked = await run("plugins", "link", project.file("package"));
    const other = await run("plugins", "install", EXAMPLE);
    const listed = await run("plugins");
    writeFileSync(folder.file("plinth.toml"), 'plugins = ["plinth-from-a-test"]\n');
    const first = await run("say");
    writeFileSync(project.file("package", "index.js"), withCommand("second"));
    const second = await run("say");
    rmSync(folder.file("plinth.toml"));
    const unlinked = await run("plugins", "unlink", "plinth-from-a-test");
    const after = await run("plugins");

    expect(linked.stdout).toContain('Linked plugin "from-a-test" from plinth-from-a-test 1.0.0');
    expect(other.code).toBe(0);
    expect(listed.stdout).toContain(`(linked to ${project.file("package")})\n  commands: say\n`);
    expect(first).toEqual({ code: 0, stdout: "first\n", stderr: "" });
    expect(second.stdout).toBe("second\n");
    expect(unlinked.code).toBe(0);
    expect(after.stdout).not.toContain("plinth-from-a-test");
    expect(existsSync(project.file("package", "index.js"))).toBe(true);
  });

  it("leaves nothing half-installed when it is killed", async () => {
    using folder = temporaryFolder();
    copyInstalled(folder);
    const plugins = folder.file(".local/share/plinth");
    const before = readFileSync(join(plugins, "package.json"), "utf8");
    writePackage(folder, {});
    const child = spawn(process.execPath, [PROGRAM, "plugins", "install", "./package"], {
      cwd: folder.path,
      env: environmentOf(folder.path),
      stdio: "ignore",
      // npm ends with it.
      detached: true,
    });
    const ended = once(child, "exit");
    await vi.waitUntil(() => existsSync(join(plugins, ".before")), {
      timeout: 20_000,
      interval: 2,
    });
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await ended;

    const { stdout } = await runProgram(["plugins"], { folder: folder.path });

    expect(stdout).toMatch(new RegExp(`^${NAME} 0\\.1\\.0\n`));
    expect(stdout).not.toContain("plinth-from-a-test");
    expect(readFileSync(join(plugins, "package.json"), "utf8")).toBe(before);
    expect(readdirSync(plugins).sort()).toEqual([
      "node_modules",
      "package-lock.json",
      "package.json",
    ]);
    expect(
      readdirSync(join(plugins, "node_modules")).filter((name) => !name.startsWith(".")),
    ).toEqual([NAME]);
  });

  it.runIf(isLong)("resets everything", async () => {
    using folder = temporaryFolder();
    copyInstalled(folder);
    const run = (...words: string[]) => runProgram(words, { folder: folder.path });

    const { code } = await run("plugins", "reset");

    expect(code).toBe(0);
    expect((await run("plugins")).stdout).toMatch(/^No plugin is installed in /);
  });

  it("reports that a folder does not exist", async () => {
    using folder = temporaryFolder();

    const { code, stderr } = await runProgram(["plugins", "install", "./missing"], {
      folder: folder.path,
    });

    expect(stderr).toContain(`unknown plugin "./missing": there is no ${folder.file("missing")}`);
    expect(code).toBe(2);
  });
});

function pack(folder: TemporaryFolder): string {
  const output = execFileSync("npm", ["pack", "--silent", `--pack-destination=${folder.path}`], {
    cwd: EXAMPLE,
    encoding: "utf8",
  });
  return folder.file(output.trim().split("\n").at(-1) ?? "");
}

function withCommand(text: string): string {
  return [
    'import { command, definePlugin } from "@plinth/core";',
    `const say = command({ id: "say", summary: "Says it.", flags: {}, run: ({ io }) => io.write("${text}") });`,
    'export default definePlugin({ name: "from-a-test", setup: (node) => node.cli.command(say) });',
  ].join("\n");
}

function writePackage(
  folder: TemporaryFolder,
  manifest: object,
  place = folder.file("package"),
): void {
  mkdirSync(place, { recursive: true });
  const usual = {
    name: "plinth-from-a-test",
    version: "1.0.0",
    type: "module",
    exports: "./index.js",
  };
  writeFileSync(join(place, "package.json"), JSON.stringify({ ...usual, ...manifest }));
  writeFileSync(
    join(place, "index.js"),
    'import { definePlugin } from "@plinth/core";\nexport default definePlugin({ name: "from-a-test", setup() {} });\n',
  );
}
