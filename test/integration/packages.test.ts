import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installPacked, packRelease } from "../support/installed-packages.js";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const run = promisify(execFile);

/** Exports types of several entries without importing their names. */
const INFERRED = `
import { createMemoryStorageDriver, defineEngine, type PluginNode, type Runtime, t } from "@plinth/core";
import { createNode } from "@plinth/node";
export const driver = createMemoryStorageDriver();
export const engine = defineEngine({
  key: "acme",
  settings: t.object({ period: t.quantity }),
  create: () => { throw new Error("makes none"); },
});
export const hooksOf = (node: PluginNode<{}, {}>) => node.hooks;
export const partsOf = ({ chain, query, network, nodeKey, sync }: Runtime) =>
  ({ run: chain.blocks.run, replay: chain.blocks.replay, query, network, nodeKey, sync });
export const settingsOf = (...[settings]: Parameters<typeof createNode>) => ({ settings, end: createNode(settings).then((node) => node.ended) });
`;

// One installation outside the repository for all tests.
const folder = temporaryFolder();
const at = (...names: readonly string[]) => folder.file(...names);
const environment = () => ({ ...process.env, HOME: folder.path, PLINTH_PLUGINS_HOME: at("home") });
const node = (cwd: string, ...words: readonly string[]) =>
  run(process.execPath, [...words], { cwd, env: environment() });

beforeAll(() => {
  packRelease(at("tarballs"));
  installPacked(at("tarballs"), at("node_modules"));
});
afterAll(() => folder[Symbol.dispose]());

describe("the published packages", () => {
  it("run the program without anything else", async () => {
    const program = at("node_modules/plinth/bin/plinth.js");

    const { stdout } = await node(folder.path, program, "--version");

    expect(stdout).toMatch(/^plinth\/v?0\.1\.0/);
    expect(stdout).toContain("rpc-eth");
  });

  it("serve the plugin of the README, in JavaScript", async () => {
    const readme = readFileSync(`${ROOT}/README.md`, "utf8");
    const plugin = /^\/\/ hello\.mjs\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? "";
    writeFileSync(at("hello.mjs"), plugin);
    writeFileSync(
      at("hello-test.mjs"),
      `import assert from "node:assert/strict";
       import { createTestNode } from "@plinth/testing";
       import hello from "./hello.mjs";
       const node = await createTestNode({ plugins: [hello] });
       assert.equal(await node.rpc("hello_greet", ["Ada"]), "Hello, Ada!");
       await node.stop();
       console.log("passed");`,
    );

    expect((await node(folder.path, "hello-test.mjs")).stdout).toBe("passed\n");
  });
});

describe("a plugin of create-plinth-plugin", () => {
  const create = (...words: readonly string[]) =>
    node(folder.path, at("node_modules/create-plinth-plugin/main.mjs"), ...words);

  it("compiles, passes its test and runs on a node", async () => {
    const words = ["--namespace=audit", '--description=Counts "everything".'];
    const { stdout } = await create("plinth-audit", ...words);
    const own = at("plinth-audit");

    expect(stdout).toContain("Wrote 8 files");
    await node(own, at("node_modules/typescript/bin/tsc"));
    const tested = await node(own, "--test", "--test-reporter=tap", "dist/index.test.js");
    expect(tested.stdout).toContain("# pass 4\n# fail 0\n");
    const program = at("node_modules/plinth/bin/plinth.js");
    const ordered = await node(own, program, "--config-file=plinth.toml", "plugins", "order");
    expect(ordered.stdout).toContain("  rpc-audit ");
    expect(JSON.parse(readFileSync(at("plinth-audit/package.json"), "utf8"))).toMatchObject({
      name: "plinth-audit",
      description: 'Counts "everything".',
      peerDependencies: { "@plinth/core": "^0.1.0" },
    });
    expect(readFileSync(at("plinth-audit/.github/workflows/test.yml"), "utf8")).toContain(
      `node-version: \${{ matrix.node }}`,
    );
  });

  it("may leave the types it exports to TypeScript", async () => {
    await create("plinth-inferred");
    const own = at("plinth-inferred");
    rmSync(at("plinth-inferred/src/index.test.ts"));
    writeFileSync(at("plinth-inferred/src/index.ts"), INFERRED);

    await node(own, at("node_modules/typescript/bin/tsc"));

    expect(readFileSync(at("plinth-inferred/dist/index.d.ts"), "utf8")).toContain(
      'import("@plinth/core/chain").PluginRun',
    );
  });

  it.each([
    ["a folder with files", ["node_modules"], "is not empty; choose another"],
    ["a namespace of two words", ["other", "--namespace=a_b"], 'namespace "a_b": expected'],
    ["an invalid name", ["other", "--name=A B"], 'name "A B": expected'],
    ["an unknown option", ["other", "--nmae=x"], "Unknown option '--nmae'"],
  ])("is not written with %s", async (_, words, problem) => {
    await expect(create(...words)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(problem),
    });
  });
});
