import { describe, expect, it } from "vitest";
import { checkImports, importsOf, RULED_FOLDERS } from "./check-imports.js";
import { findFiles, fixture, repository } from "./source-tree.js";

describe("imports in the repository", async () => {
  const report = await checkImports(repository);

  it("follow the rules", () => {
    expect(report.violations).toEqual([]);
  });

  it("are read from every source file", () => {
    const sources = RULED_FOLDERS.flatMap((folder) => findFiles(repository, folder));

    // Each client is a package with other libraries.
    const ours = sources.filter((path) => !/^test\/clients\/[^/]+\//.test(path));
    expect(report.files).toEqual(ours.filter((path) => path.endsWith(".ts")).sort());
  });

  it("are all covered", () => {
    expect(report.unseen).toEqual([]);
  });

  it("resolve from a package name of ours to its sources", () => {
    const ours = [...report.packages].filter(([name]) => name.startsWith("@plinth/"));

    expect(
      ours.filter(
        ([, path]) => !/^(core\/[^/]+|kits\/[^/]+|plugins\/[^/]+\/[^/]+)\/src\//.test(path),
      ),
    ).toEqual([]);
    expect(report.packages.get("@plinth/core")).toBe("core/contract/src/index.ts");
  });
});

describe("the import rules", () => {
  it("accept a tree that follows them", async () => {
    const { violations, unseen, files } = await checkImports(fixture("imports-clean"));

    expect(violations).toEqual([]);
    expect(unseen).toEqual([]);
    expect(files).toEqual(findFiles(fixture("imports-clean")));
  });

  it.each([
    [
      "a plugin that reaches into another plugin",
      "imports-plugin-insides",
      "plugins-meet-through-api: plugins/kind/a/src/index.ts → plugins/kind/b/src/secret.ts",
    ],
    [
      "a plugin that does so within a type",
      "imports-hidden-type",
      "plugins-meet-through-api: plugins/kind/a/src/index.ts → plugins/kind/b/src/secret.ts",
    ],
    [
      "a plugin that reaches into a kit",
      "imports-kit-insides",
      "kits-by-their-entry: plugins/kind/a/src/index.ts → kits/kit-http/src/tls.ts",
    ],
    [
      "a plugin that reaches into the core",
      "imports-core-insides",
      "core-by-its-entries: plugins/kind/a/src/index.ts → core/contract/src/kernel/errors.ts",
    ],
    [
      "a contract that imports the chain, if only its types",
      "imports-core-upward",
      "floor-contract: core/contract/src/chain/chain.ts → core/chain/src/index.ts",
    ],
    [
      "a plugin that imports the node",
      "imports-plugin-node",
      "plugins-stand-on-the-contract: plugins/kind/a/src/index.ts → core/node/src/index.ts",
    ],
    [
      "a kit that imports a plugin",
      "imports-kit-plugin",
      "kits-stand-on-core: kits/kit-http/src/index.ts → plugins/kind/permissioning/src/api.ts",
    ],
    [
      "a core that imports a plugin",
      "imports-core-plugin",
      "core-stands-alone: core/node/src/run/preset.ts → plugins/kind/a/src/index.ts",
    ],
    [
      "a kernel that imports JSON-RPC, if only its types",
      "imports-kernel-rpc",
      "area-contract-kernel: core/contract/src/kernel/plugin.ts → core/contract/src/rpc/method.ts",
    ],
    [
      "an area of the core that is not in the table",
      "imports-core-area",
      "area-unlisted: core/contract/src/extras/more.ts → core/contract/src/kernel/errors.ts",
    ],
    [
      "a program that imports a plugin statically",
      "imports-cli-plugin",
      "cli-names-plugins: cli/src/preset.ts → plugins/kind/a/src/index.ts",
    ],
    [
      "an example that reaches into a plugin",
      "imports-example-insides",
      "plugins-by-their-entries: examples/one/src/index.ts → plugins/kind/a/src/routes.ts",
    ],
    [
      "a test that imports the program",
      "imports-program",
      "cli-is-a-program: test/integration/argv.test.ts → cli/src/argv.ts",
    ],
    [
      "a plugin that imports shared tests",
      "imports-shared-tests",
      "examples-and-tests-come-last: plugins/kind/a/src/index.test.ts → test/support/free-port.ts",
    ],
    [
      "a test tool in the product",
      "imports-test-tools",
      "test-tools-in-tests: plugins/kind/a/src/index.ts → vitest",
    ],
    [
      "a second owner of a library",
      "imports-two-owners",
      "home-of-fastify: plugins/transport/transport-http/src/listen.ts → fastify",
    ],
    [
      "a library without a home",
      "imports-new-library",
      "home-unlisted: plugins/kind/a/src/index.ts → ws",
    ],
    [
      "an import that does not resolve",
      "imports-nowhere",
      "imports-resolve: plugins/kind/a/src/index.ts → @plinth/core/src/kernel/hooks.js",
    ],
    [
      "files that import each other, if only for types",
      "imports-cycle",
      "no-cycles: core/contract/src/kernel/first.ts → core/contract/src/kernel/second.ts",
    ],
  ])("refuse %s", async (_, name, violation) => {
    const { violations } = await checkImports(fixture(name));

    expect(violations).toEqual([violation]);
  });
});

describe("an import", () => {
  it.each([
    ["a declaration", `import { a } from "./a.js";`],
    ["a declaration of types", `import type { A } from "./a.js";`],
    ["a declaration without names", `import "./a.js";`],
    ["an export of another module's names", `export { a } from "./a.js";`],
    ["an export of all of them", `export * from "./a.js";`],
    ["a call", `const a = await import("./a.js");`],
    ["a type", `type A = ReadonlyArray<import("./a.js").A>;`],
  ])("is found in %s", (_, source) => {
    expect(importsOf(source)).toEqual(["./a.js"]);
  });
});
