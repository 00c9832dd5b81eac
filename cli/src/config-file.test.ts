import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfigFile, SEARCHED, searchConfigFile } from "./config-file.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plinth-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
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
    ["a.cjs", `module.exports = ${JSON.stringify(SAME)};\n`],
    ["besu", 'rpc-http-port = 1\nrpc-http-api = ["ETH"]\nrpc-http-enabled = true\n'],
    ["a.conf", 'rpc-http-port = 1\nrpc-http-api = ["ETH"]\nrpc-http-enabled = true\n'],
  ])("has the same values in every format: %s", async (name, content) => {
    const { values } = await loadConfigFile(write(name, content));

    expect(Object.fromEntries(values)).toEqual(SAME);
  });

  it.each(SEARCHED.filter((name) => name !== "package.json"))(
    "is found under the name %s, or rejected by it",
    async (name) => {
      write(name, contentOf(name, "a"));
      const isRefused = extname(name) === ".ts" && !Reflect.get(process.features, "typescript");

      const found = searchConfigFile(folder);

      if (!isRefused) expect((await found)?.values.get("identity")).toBe("a");
      else {
        await expect(found).rejects.toThrow(
          `configuration file ${join(folder, name)} is a TypeScript file, which Node.js ${process.versions.node} cannot run`,
        );
      }
    },
  );

  it("is searched for in one folder only", async () => {
    write("plinth.toml", contentOf("plinth.toml", "a"));
    mkdirSync(join(folder, "inner"));

    expect(await searchConfigFile(join(folder, "inner"))).toBeUndefined();
  });

  it.each([
    ["plinth.config.toml", "plinth.toml"],
    ["plinth.config.js", "plinth.config.toml"],
    ["plinth.toml", ".plinthrc"],
    [".plinthrc", ".plinthrc.json"],
    [".plinthrc.toml", ".config/plinthrc"],
    [".config/plinthrc.toml", ".config/plinth.config.js"],
    [".config/plinth.config.toml", "package.json"],
  ])("%s is read and %s is not", async (first, second) => {
    write(first, contentOf(first, "first"));
    write(second, contentOf(second, "second"));

    expect((await searchConfigFile(folder))?.values.get("identity")).toBe("first");
  });

  it("may import others", async () => {
    write("common.toml", 'identity = "common"\nnetwork-id = 7\n');
    write("plinth.toml", '"$import" = "common.toml"\nidentity = "own"\n');

    const { values } = (await searchConfigFile(folder)) ?? {};

    expect(Object.fromEntries(values ?? [])).toEqual({ identity: "own", "network-id": 7 });
  });

  it("that is empty is reported, like an explicitly given one", async () => {
    write("plinth.toml", "");
    write("package.json", '{"plinth":{"identity":"a"}}');

    await expect(searchConfigFile(folder)).rejects.toThrow(
      /^Unable to read from empty TOML configuration file\.$/,
    );
  });

  it.skipIf(process.getuid?.() === 0)("that is not readable is reported", async () => {
    chmodSync(write("plinth.toml", 'identity = "a"'), 0);
    write(".plinthrc", "identity: b\n");

    await expect(searchConfigFile(folder)).rejects.toThrow(
      /^Invalid TOML configuration: EACCES.* in .*plinth\.toml$/,
    );
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
    ["a.json", "{", /^Invalid JSON configuration: Expected property name .* in .*a\.json$/],
    ["a.yaml", "a: [", /^Invalid YAML configuration: unexpected end .* in .*a\.yaml$/],
    ["a.mjs", "throw new Error('no')", /^Invalid JavaScript configuration: no in /],
    ["a.json", "[1]", /^Invalid JSON configuration: expected option names and values/],
    ["a.toml", "# nothing\n", /^Unable to read from empty TOML configuration file\.$/],
    ["a.json", "{}", /^Unable to read from empty JSON configuration file\.$/],
  ])("that is damaged is reported on one line: %s %s", async (name, content, message) => {
    const path = write(name, content);

    await expect(loadConfigFile(path)).rejects.toThrow(message);
    await expect(loadConfigFile(path)).rejects.not.toThrow(/\n/);
  });

  it("that a variable specifies and that is missing names the variable", async () => {
    await expect(loadConfigFile(join(folder, "a.toml"), "PLINTH_CONFIG_FILE")).rejects.toThrow(
      /^TOML file .*a\.toml specified in environment variable PLINTH_CONFIG_FILE not found$/,
    );
  });
});

function contentOf(name: string, identity: string): string {
  const contents: Record<string, string> = {
    ".js": `module.exports = { identity: "${identity}" };`,
    ".cjs": `module.exports = { identity: "${identity}" };`,
    ".mjs": `export default { identity: "${identity}" };`,
    ".ts": `const identity: string = "${identity}"; export default { identity };`,
    ".toml": `identity = "${identity}"`,
    ".json": JSON.stringify(
      name === "package.json" ? { name: "x", plinth: { identity } } : { identity },
    ),
  };
  return contents[extname(name)] ?? `identity: ${identity}\n`;
}
