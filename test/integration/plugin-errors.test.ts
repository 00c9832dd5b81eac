import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command, definePlugin } from "@plinth/core";
import { createManifest } from "@plinth/node/manifest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../support/program.js";
import { openProgramHost, type ProgramHost } from "../support/program-host.js";
import { temporaryFolder } from "../support/temporary-folder.js";

let host: ProgramHost;
beforeAll(() => {
  host = openProgramHost();
});
afterAll(() => host[Symbol.asyncDispose]());

const SETUP = `import { definePlugin } from "@plinth/core";
export default definePlugin({
  name: "broken",
  setup(node) {
    node.rpc.namespac("broken", {});
  },
});
`;

describe("a plugin that cannot be loaded", () => {
  it.each([
    [
      "does not parse",
      "broken.mjs",
      "export default {\n  name:\n};\n",
      "Unexpected token '}'",
      ":3",
    ],
    [
      "has an unresolved import",
      "broken.mjs",
      '\nimport { definePlugins } from "@plinth/core";\n',
      "does not provide an export named 'definePlugins'",
      ":2",
    ],
    ["throws when it is loaded", "broken.mjs", '\n\nthrow new Error("boom");\n', "boom", ":3:7"],
    ["throws in setup", "broken.mjs", SETUP, "broken failed in setup", ":5:14"],
  ])("is reported with file and line if it %s", async (_, name, code, problem, place) => {
    using folder = temporaryFolder();
    writeFileSync(folder.file(name), code);
    writeFileSync(folder.file("plinth.toml"), `plugins = ["./${name}"]\n`);

    const { code: exit, stderr } = await host.run(
      ["--config-file=plinth.toml", "plugins", "order"],
      { folder: folder.path },
    );

    const [message, at] = stderr.split("\n");
    expect(message).toContain(problem);
    expect(at).toBe(`at ${folder.file(name)}${place}`);
    expect(exit).toBe(2);
  });

  it("is rejected with the new import if another entry exports what it imports", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("old.mjs"), 'import { blockToRlp } from "@plinth/core";\n');
    writeFileSync(folder.file("plinth.toml"), 'plugins = ["./old.mjs"]\n');

    const { code, stderr } = await host.run(["--config-file=plinth.toml", "plugins", "order"], {
      folder: folder.path,
    });

    expect(stderr).toContain("does not provide an export named 'blockToRlp'");
    expect(stderr).toContain('\nimport { blockToRlp } from "@plinth/core/blocks" instead\n');
    expect(code).toBe(2);
  });

  it("is located in the file that it imports", async () => {
    using folder = temporaryFolder();
    writeFileSync(
      folder.file("index.mjs"),
      'import plugin from "./part.mjs";\nexport default plugin;\n',
    );
    writeFileSync(folder.file("part.mjs"), "export default [\n");
    writeFileSync(folder.file("plinth.toml"), 'plugins = ["./index.mjs"]\n');

    const { stderr } = await host.run(["--config-file=plinth.toml", "plugins", "order"], {
      folder: folder.path,
    });

    expect(stderr).toContain(`\nat ${folder.file("part.mjs")}:2\n`);
  });
});

describe("an installed plugin", () => {
  it("whose manifest is damaged is reported, and the rest works", async () => {
    using folder = temporaryFolder();
    const environment = install(folder, { manifestVersion: 1, name: "broken" });

    const { code, stdout, stderr } = await runProgram(["rlp", "encode", "--type=QBFT_EXTRA_DATA"], {
      folder: folder.path,
      environment,
      input: "[]",
    });

    expect(stderr).toBe(
      "commands of plinth-broken are skipped: its manifest cannot be used: isEssential: expected true or false\n",
    );
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0x/) });
  });

  it("is not searched for if the list of them is damaged, and the rest works", async () => {
    using folder = temporaryFolder();
    const environment = install(folder, {});
    const path = join(environment.PLINTH_PLUGINS_HOME, "package.json");
    writeFileSync(path, '{ "dependencies": { "a": 5 } }');

    const { code, stderr } = await host.run(["--help"], { folder: folder.path, environment });

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${path} cannot be read: dependencies.a: expected text\n`,
    });
  });

  it("does not override the commands of the program", async () => {
    using folder = temporaryFolder();
    const ids = ["config", "plugins uninstall"];
    const flags = {};
    const taking = definePlugin({
      name: "taking",
      setup({ cli }) {
        for (const id of ids) cli.command(command({ id, summary: "", flags, run: async () => {} }));
      },
    });
    const environment = install(folder, createManifest(taking));
    const uninstall = ["plugins", "uninstall", "nothing"];

    const { stderr } = await host.run(uninstall, { folder: folder.path, environment });

    expect(stderr.split("\n")).toEqual(
      expect.arrayContaining([
        'the command "config" of taking is skipped: plinth has it',
        'the command "plugins uninstall" of taking is skipped: plinth has it',
        expect.stringContaining('no package "nothing" is installed; plinth-broken are installed'),
      ]),
    );
  });
});

/** Installs a plugin; returns the environment with its folder. */
function install(folder: ReturnType<typeof temporaryFolder>, manifest: object) {
  const home = folder.file("home");
  const place = join(home, "node_modules", "plinth-broken");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(home, "package.json"), '{ "dependencies": { "plinth-broken": "1.0.0" } }');
  const peerDependencies = { "@plinth/core": "*" };
  const about = { name: "plinth-broken", type: "module", exports: "./a.js", peerDependencies };
  writeFileSync(join(place, "package.json"), JSON.stringify(about));
  writeFileSync(join(place, "a.js"), SETUP);
  writeFileSync(join(place, "a.manifest.json"), JSON.stringify(manifest));
  return { PLINTH_PLUGINS_HOME: home };
}

describe("a plugin in a TypeScript file", () => {
  const TYPED = `import { definePlugin } from "@plinth/core";
const name: string = "typed";
export default definePlugin({ name, setup() {} });
`;
  const stripsTypes = Boolean(Reflect.get(process.features, "typescript"));

  it(`${stripsTypes ? "is loaded" : "is refused with the reason"} by this Node.js`, async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("typed.ts"), TYPED);
    writeFileSync(folder.file("plinth.toml"), 'plugins = ["./typed.ts"]\n');

    const { code, stdout, stderr } = await host.run(
      ["--config-file=plinth.toml", "plugins", "order"],
      { folder: folder.path },
    );

    const outcome = stripsTypes ? { code: 0, text: stdout } : { code: 2, text: stderr };
    expect(code).toBe(outcome.code);
    expect(outcome.text).toContain(stripsTypes ? "  typed " : "compile it to JavaScript");
  });
});
