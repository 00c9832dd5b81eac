import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { listUserPackages } from "./user-packages.js";

const home = mkdtempSync(join(tmpdir(), "plinth-home-"));
afterAll(() => rmSync(home, { recursive: true }));

function list(text: string) {
  writeFileSync(join(home, "package.json"), text);
  return listUserPackages(home);
}

describe("the list of installed packages", () => {
  it("contains links, and the packages of npm", () => {
    const link = { name: "b", type: "link", root: "/b" };
    const text = JSON.stringify({ dependencies: { a: "^1.0.0" }, oclif: { plugins: [link] } });

    expect(JSON.parse(JSON.stringify(list(text)))).toEqual([
      link,
      { name: "a", type: "user", tag: "latest" },
    ]);
  });

  it("is empty if nothing is listed", () => {
    expect(list('{ "dependencies": null, "oclif": null }')).toEqual([]);
  });

  it.each([
    ["{", "in JSON"],
    ["null", "expected an object"],
    ["[]", "expected an object"],
    ['{ "dependencies": 5 }', "dependencies: expected an object"],
    ['{ "dependencies": { "a": 5 } }', "dependencies.a: expected text"],
    ['{ "oclif": 5 }', "oclif: expected an object"],
    ['{ "oclif": { "plugins": 5 } }', "oclif.plugins: expected a list"],
    ['{ "oclif": { "plugins": [null] } }', "oclif.plugins[0]: expected an object"],
    ['{ "oclif": { "plugins": [{ "name": "a" }] } }', "oclif.plugins[0].type: expected text"],
  ])("cannot be read from %s", (text, problem) => {
    expect(() => list(text)).toThrowError(
      expect.objectContaining({
        code: "PLUGIN_UNLOADABLE",
        message: expect.stringMatching(
          new RegExp(`package.json cannot be read: .*${problem.replaceAll(/[[\].]/g, "\\$&")}`),
        ),
      }),
    );
  });
});
