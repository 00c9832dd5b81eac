import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/program.js";

const FOLDER = join(ROOT, ".github/workflows");
const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);

it.each(readdirSync(FOLDER))("the workflow %s runs existing scripts", (name) => {
  const text = readFileSync(join(FOLDER, name), "utf8");
  const named = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, script = ""]) => script);
  const files = [...text.matchAll(/node (scripts\/[\w.-]+)/g)].map(([, file = ""]) => file);

  expect(named.filter((script) => !(script in scripts))).toEqual([]);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(named.length + files.length).toBeGreaterThan(0);
});
