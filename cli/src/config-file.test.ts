import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfigFile, searchConfigFile } from "./config-file.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plinth-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const SAME = { "rpc-http-port": 1, "rpc-http-api": ["ETH"], "rpc-http-enabled": true };

describe("a configuration file", () => {
  it.each([
    [
      "a.toml",
      '[Network]\nrpc-http-port = 1\nrpc-http-api = ["ETH"]\n[Other.Inner]\nrpc-http-enabled = true\n',
    ],
    ["a.json", JSON.stringify(SAME)],
    ["a.yaml", "rpc-http-port: 1\nrpc-http-api: [ETH]\nrpc-http-enabled: true\n"],
    ["a.mjs", `export default ${JSON.stringify(SAME)};\n`],
    ["besu", 'rpc-http-port = 1\nrpc-http-api = ["ETH"]\nrpc-http-enabled = true\n'],
    ["a.conf", 'rpc-http-port = 1\nrpc-http-api = ["ETH"]\nrpc-http-enabled = true\n'],
  ])("says the same in every format: %s", async (name, content) => {
    const { values } = await loadConfigFile(write(name, content));

    expect(Object.fromEntries(values)).toEqual(SAME);
  });

  it.each([
    "plinth.config.json",
    "plinth.config.mjs",
    "plinth.config.yaml",
    "plinth.config.toml",
    ".plinthrc",
    ".plinthrc.json",
    ".plinthrc.toml",
  ])("is found under the name %s", async (name) => {
    const content: Record<string, string> = {
      json: '{"identity":"a"}',
      mjs: 'export default { identity: "a" };',
      toml: 'identity = "a"',
    };
    write(name, content[name.split(".").at(-1) ?? ""] ?? "identity: a\n");

    expect((await searchConfigFile(folder))?.values.get("identity")).toBe("a");
  });

  it("may be a section of package.json", async () => {
    write("package.json", '{"name":"x","plinth":{"identity":"a"}}');

    expect((await searchConfigFile(folder))?.values.get("identity")).toBe("a");
  });

  it("is not a package.json without such a section", async () => {
    write("package.json", '{"name":"x"}');

    expect(await searchConfigFile(folder)).toBeUndefined();
  });

  it.each([
    ["a.toml", "x = = 1", /^Invalid TOML configuration: .* at line 1, column \d+ in .*a\.toml$/],
    ["a.json", "{", /^Invalid JSON configuration: /],
    ["a.yaml", "a: [", /^Invalid YAML configuration: /],
    ["a.mjs", "throw new Error('no')", /^Invalid JavaScript configuration: no in /],
    ["a.json", "[1]", /^Invalid JSON configuration: expected option names and values/],
    ["a.toml", "# nothing\n", /^Unable to read from empty TOML configuration file\.$/],
    ["a.json", "{}", /^Unable to read from empty JSON configuration file\.$/],
  ])("that is damaged is reported in one line: %s %s", async (name, content, message) => {
    const path = write(name, content);

    await expect(loadConfigFile(path)).rejects.toThrow(message);
    await expect(loadConfigFile(path)).rejects.not.toThrow(/\n/);
  });

  it("that a variable names and that is missing names the variable", async () => {
    await expect(loadConfigFile(join(folder, "a.toml"), "PLINTH_CONFIG_FILE")).rejects.toThrow(
      /^TOML file .*a\.toml specified in environment variable PLINTH_CONFIG_FILE not found$/,
    );
  });
});
