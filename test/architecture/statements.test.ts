import { describe, expect, it } from "vitest";
import { registerShippedNode } from "../support/shipped-plugins.js";
import {
  findFiles,
  findFolders,
  findKits,
  findPlugins,
  findText,
  repository,
} from "./source-tree.js";

const files = findFiles(repository);
/** Pages about today: decisions record what was true then; the reference and the benchmarks are generated. */
const pages = files
  .filter((path) => /^(README\.md|docs\/.+\.md|[^/]+\/.*README\.md)$/.test(path))
  .filter(
    (path) => !/^(docs\/(adr|reference|benchmarks)|create-plugin\/template|test)\//.test(path),
  )
  .map((path) => ({ path, text: read(path) }));
const node = await registerShippedNode();

const NUMBERS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
].concat(
  [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
  ],
  ["nineteen", "twenty"],
);
const COUNTED = new RegExp(
  `\\b(\\d[\\d,]*|${NUMBERS.slice(2).join("|")})( [a-z-]+)? (plugins|packages|methods|options|commands|hooks)\\b`,
  "gi",
);

/** A statement with a number, and how many there are. */
type Statement = readonly [page: string, text: string, count: () => number];

const STATEMENTS: readonly Statement[] = [
  ["README.md", "Two commands", () => sectionOf("README.md", "## Two commands", /^npm ci && /gm)],
  [
    "README.md",
    "thirteen accounts",
    () => countIn("cli/profiles/dev-genesis.json", /"privateKey"/g),
  ],
  ["docs/architecture.md", "nine use the floors above", () => pluginsAboveTheContract().length],
  [
    "docs/plugins/recipes.md",
    "Five common plugins",
    () => countIn("docs/plugins/recipes.md", /^## /gm),
  ],
  [
    "examples/minimal-node/README.md",
    "eight plugins",
    () => countIn("examples/minimal-node/plinth.toml", /^ {2}"/gm),
  ],
  [
    "examples/plugin-protocol/README.md",
    "two methods",
    () => countIn("examples/plugin-protocol/src/index.ts", /\bmethod\(/g),
  ],
  [
    "plugins/commands/cmd-genesis/README.md",
    "Two commands",
    () => node.commands().filter(({ item }) => item.id.startsWith("genesis ")).length,
  ],
  [
    "plugins/rpc/rpc-dev/README.md",
    "four methods",
    () => sectionOf("plugins/rpc/rpc-dev/README.md", "It also replaces", /^\| `/gm),
  ],
  [
    "plugins/rpc/rpc-qbft/README.md",
    "four vote methods",
    () => methodNames().filter((name) => /^qbft_.*Vote/.test(name)).length,
  ],
];

/** Sentences in which the number does not count what this repository has. */
const OTHERS = [
  "docs/operators/running.md: two plugins",
  "docs/operators/securing.md: two options",
];

describe("a number on a page", () => {
  it.each(STATEMENTS)("is true: %s, %s", (page, text, count) => {
    const [word = ""] = text.toLowerCase().split(" ");

    expect(read(page)).toContain(text);
    expect(NUMBERS.indexOf(word)).toBe(count());
  });

  it("is checked above if it counts plugins, packages, methods, options, commands or hooks", () => {
    const found = pages.flatMap(({ path, text }) =>
      [...text.matchAll(COUNTED)].map(([words]) => `${path}: ${words}`),
    );
    const checked = STATEMENTS.map(([page, text]) => `${page}: ${text}`);

    expect(found.filter((each) => ![...checked, ...OTHERS].includes(each))).toEqual([]);
  });
});

describe("docs/architecture.md", () => {
  const text = read("docs/architecture.md");
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name);

  it("names files and folders that exist", () => {
    const paths = quoted
      .filter((name) => /\/|\.(ts|md|cjs)$/.test(name) && !/[<@]/.test(name))
      .map((name) => name.replace(/\/$/, ""));

    expect(paths.length).toBeGreaterThan(30);
    expect(
      paths.filter((path) => !files.some((file) => `/${file}/`.includes(`/${path}/`))),
    ).toEqual([]);
  });

  it("names packages that exist", () => {
    const manifests = files.filter((path) => path.endsWith("package.json"));
    const names = new Set(manifests.map((path) => JSON.parse(read(path)).name));
    const scoped = [...text.matchAll(/@plinth\/[a-z-]+/g)].map(([name]) => name);

    expect(scoped.filter((name) => !names.has(name))).toEqual([]);
  });

  it("names every kit and every kind of plugin, and no others", () => {
    const row = (begin: string) => text.split("\n").find((line) => line.startsWith(begin)) ?? "";
    const kits = [...row("| `kits/`").matchAll(/kit-[a-z]+/g)].map(([name]) => name);
    const kinds = row("| `plugins/<kind>/`").split(";")[0] ?? "";

    expect(kits.sort()).toEqual(findKits(repository).map((path) => path.replace("kits/", "")));
    expect([...kinds.matchAll(/`([a-z]+)`/g)].map(([, kind]) => kind).sort()).toEqual(
      findFolders(repository, "plugins"),
    );
  });

  it("names plugins that exist", () => {
    const plugins = new Set(findPlugins(repository).map((path) => path.split("/").at(-1)));
    const begins = [...plugins].map((name) => name?.split("-")[0]).join("|");
    // The names of options in files have no dashes before them.
    plugins.add("rpc-http-port");
    const named = text.matchAll(new RegExp(`(?<![-\\w/.@])(?:${begins})-[a-z-]+(?![-./\\w])`, "g"));

    expect([...named].map(([name]) => name).filter((name) => !plugins.has(name))).toEqual([]);
  });
});

describe("a JSON-RPC method on a page", () => {
  it("exists", () => {
    const known = new Set([...methodNames(), ...NOT_CALLED]);
    const namespaces = new Set(methodNames().map((name) => name.split("_")[0]));
    const unknown = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\w-])([a-z0-9]+)_[a-zA-Z0-9]+\b/g)]
        .filter(([name, namespace]) => namespaces.has(namespace) && !known.has(name))
        .map(([name]) => `${path}: ${name}`),
    );

    expect(unknown).toEqual([]);
  });
});

/** Notifications, and the prefixes of metrics. */
const NOT_CALLED = [
  "eth_subscription",
  "priv_subscription",
  "plinth_subscription",
  "plinth_graphql",
];

function methodNames(): readonly string[] {
  return node
    .methods()
    .flatMap(({ fullName, method: { alias } }) => [fullName].concat(alias ?? []));
}

/** The plugins that use more than the contract. */
function pluginsAboveTheContract(): readonly string[] {
  return findPlugins(repository).filter((path) => {
    const { dependencies = {} } = JSON.parse(read(`${path}/package.json`));
    return "@plinth/chain" in dependencies || "@plinth/node" in dependencies;
  });
}

function read(path: string): string {
  const text = findText(repository, path);
  if (text === undefined) throw new Error(`there is no ${path}`);
  return text;
}

function countIn(path: string, pattern: RegExp): number {
  return [...read(path).matchAll(pattern)].length;
}

/** How often a pattern occurs between a line and the next heading. */
function sectionOf(path: string, begin: string, pattern: RegExp): number {
  const [, rest = ""] = read(path).split(begin);
  return [...(rest.split("\n## ")[0] ?? "").matchAll(pattern)].length;
}
