import { readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyPlugin } from "@plinth/core/kernel";
import { resolvePlugins } from "@plinth/node";
import { createManifest, createStandIn, type PluginManifest } from "@plinth/node/manifest";
import { describe, expect, it } from "vitest";
import { findPlugins, repository } from "./source-tree.js";

const folders = findPlugins(repository).map((folder) => join(repository, folder));

const load = async (folder: string) => {
  const module = await import(join(folder, "src", "index.ts"));
  return verifyPlugin(module.default, folder);
};

const readBuilt = (folder: string): PluginManifest =>
  JSON.parse(readFileSync(join(folder, "dist", "index.manifest.json"), "utf8"));

describe("the manifests of plugins", () => {
  it.each(folders)("match the sources; if not, build: %s", async (folder) => {
    const manifest = createManifest(await load(folder));

    expect(readBuilt(folder)).toEqual(JSON.parse(JSON.stringify(manifest)));
  });

  it("describe the same options as the plugins", async () => {
    const plugins = await Promise.all(folders.map(load));
    const shared = new Map();
    const standIns = folders.map((folder) => createStandIn(readBuilt(folder), shared));
    const listOptions = (given: readonly (typeof plugins)[number][]) =>
      resolvePlugins(given)
        .schema.all()
        .map(({ name, aliases, owner, option: { kind, ...option } }) => ({
          ...{ name, aliases, owner, summary: option.summary, needs: option.needs },
          ...{ arity: kind.arity, placeholder: kind.placeholder, repeatable: kind.repeatable },
          default: option.default,
        }));

    expect(listOptions(standIns)).toEqual(listOptions(plugins));
  });
});
