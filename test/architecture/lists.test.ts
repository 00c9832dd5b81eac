import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repository } from "./source-tree.js";

const { listFiles, presetPlugins } = await import(join(repository, "scripts", "package-lists.mjs"));

it.each(Object.entries(listFiles()))(
  "%s lists the packages of the folders; if not: npm run lists",
  (path, content) => {
    expect(JSON.parse(readFileSync(join(repository, path), "utf8"))).toEqual(content);
  },
);

it("the preset has every plugin except separate ones and those that profiles add", () => {
  expect(presetPlugins()).toContain("rpc-eth");
  expect(presetPlugins()).not.toContain("rpc-dev");
  expect(presetPlugins()).not.toContain("relay-postgres");
});

it("the program does not depend on separate plugins", () => {
  const { dependencies } = listFiles()["cli/package.json"];

  expect(dependencies).toHaveProperty("@plinth/plugin-changes");
  expect(dependencies).not.toHaveProperty("@plinth/plugin-relay-postgres");
});
