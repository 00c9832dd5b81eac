import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFiles, findKits, findPlugins, repository } from "./source-tree.js";

/** Plugins that log and have no lines at level DEBUG, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  "consensus-dev": "a line for each block is all that it does",
  "consensus-ethash": "a line for each block is all that it does",
  "dev-console": "it is a console: what it writes is its answer",
  "request-log": "a line for each call is what it is for",
  "rpc-dev": "it loads and writes files, each with a line",
  "rpc-perm": "it warns once; changes are those of permissioning-local",
};

const LOGS = /\blog\.(info|warn|error)\(/;
const DEBUGS = /\b#?log\.(debug|trace)\(/;

const folders = new Map(
  [...findPlugins(repository), ...findKits(repository)].map((path) => [basename(path), path]),
);
const plugins = findPlugins(repository).map((path) => basename(path));
const logging = plugins.filter((name) => has(name, LOGS));

describe("a plugin that logs", () => {
  it.each(logging.filter((name) => !Object.hasOwn(WITHOUT, name)))(
    "has lines at level DEBUG, itself or by a kit that receives its logger: %s",
    (name) => {
      expect([name, ...kitsOf(name)].some((folder) => has(folder, DEBUGS))).toBe(true);
    },
  );

  it("is not excluded without reason", () => {
    expect(Object.keys(WITHOUT).filter((name) => !logging.includes(name))).toEqual([]);
    expect(Object.keys(WITHOUT).filter((name) => has(name, DEBUGS))).toEqual([]);
  });
});

function has(name: string, form: RegExp): boolean {
  return findFiles(repository, `${folders.get(name)}/src`)
    .filter((path) => /\.ts$/.test(path) && !/\.test(-d)?\.ts$/.test(path))
    .some((path) => form.test(readFileSync(join(repository, path), "utf8")));
}

/** Kits whose lines have the name of the plugin; those of a listener are about connections only. */
function kitsOf(name: string): readonly string[] {
  const path = join(repository, folders.get(name) ?? name, "package.json");
  const { dependencies = {} } = JSON.parse(readFileSync(path, "utf8"));
  const kits = name.startsWith("transport-") ? ["kit-http"] : ["kit-bft", "kit-index"];
  return kits.filter((kit) => Object.hasOwn(dependencies, `@plinth/${kit}`));
}
