import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

type Packages = ReadonlyMap<string, { readonly manifest: Manifest }>;

/** Scripts have no types. */
interface Scripts {
  readonly PACKED: readonly string[];
  publishedPackages(): readonly { readonly manifest: Manifest }[];
  dependenciesOf(name: string, packages: Packages): readonly string[];
  manifestOf(
    name: string,
    inside: readonly string[],
    packages: Packages,
  ): Required<Manifest> & { readonly bundleDependencies: readonly string[] };
}

const run = promisify(execFile);
const script = (name: string): Promise<Scripts> => import(`${ROOT}/scripts/${name}`);
const { PACKED, dependenciesOf, manifestOf } = await script("bundled-package.mjs");
const { publishedPackages } = await script("published-packages.mjs");
const packages: Packages = new Map(publishedPackages().map((each) => [each.manifest.name, each]));
const isLong = process.env.PLINTH_REGISTRY !== undefined;

describe("the tarballs of npm run pack", () => {
  it.each(PACKED)("contain every package of the repository that %s needs", (name) => {
    const inside = dependenciesOf(name, packages);
    const manifest = manifestOf(name, inside, packages);

    for (const each of [name, ...inside]) {
      const { dependencies = {}, peerDependencies = {} } = packages.get(each)?.manifest ?? {};
      for (const needed of [...Object.keys(dependencies), ...Object.keys(peerDependencies)]) {
        const isThere =
          needed in manifest.dependencies || needed in (manifest.peerDependencies ?? {});
        expect(isThere || needed === name, `${each} needs ${needed}`).toBe(true);
      }
    }
    expect(manifest.bundleDependencies).toEqual(inside);
  });

  it("are rejected if two packages need different versions of a library", () => {
    const both = new Map([
      [
        "a",
        { manifest: { name: "a", version: "1.0.0", dependencies: { b: "1.0.0", x: "1.0.0" } } },
      ],
      ["b", { manifest: { name: "b", version: "1.0.0", dependencies: { x: "2.0.0" } } }],
    ]);

    expect(() => manifestOf("a", dependenciesOf("a", both), both)).toThrow(
      "b needs x 2.0.0, others 1.0.0",
    );
  });
});

describe.skipIf(!isLong)("a machine without the repository", () => {
  it("installs the program for all users, and a new plugin compiles and passes its test", async () => {
    using folder = temporaryFolder();
    const npm = (...words: readonly string[]) => run("npm", [...words], { cwd: folder.path });
    await run(process.execPath, ["scripts/pack.mjs", `--to=${folder.file("packed")}`], {
      cwd: ROOT,
    });

    await npm(
      "install",
      "--global",
      `--prefix=${folder.file("global")}`,
      "./packed/plinth-0.1.0.tgz",
    );
    const program = folder.file("global", "bin", "plinth");
    expect((await run(program, ["--version"], { cwd: folder.path })).stdout).toContain("rpc-eth");

    const create = ["create-plinth-plugin", "hello", "--packages=packed"];
    await npm(
      "exec",
      "--yes",
      "--package=./packed/create-plinth-plugin-0.1.0.tgz",
      "--",
      ...create,
    );
    await npm("install", "--prefix=hello");
    // Node.js 24 has another mark before the counts.
    expect((await npm("test", "--prefix=hello")).stdout).toMatch(/^[#ℹ] pass 4\n[#ℹ] fail 0$/m);
    const ordered = await run(program, ["--config-file=plinth.toml", "plugins", "order"], {
      cwd: folder.file("hello"),
    });
    expect(ordered.stdout).toContain("  rpc-hello ");
  }, 300_000);
});
