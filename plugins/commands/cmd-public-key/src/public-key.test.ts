import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandIo, definePlugin } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { createNode, runCommand } from "@plinth/node";
import { openKeyFile } from "@plinth/plugin-keys-file/api";
import { describe, expect, it } from "vitest";
import cmdPublicKey from "./index.js";

const PRIVATE_KEY = "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
const PUBLIC_KEY =
  "0x09b02f8a5fddd222ade4ea4528faefc399623af3f736be3c44f03e2df22fb792f3931a4d9573d333ca74343305762a753388c3422a86d98b713fc91c1ea04842";
const ADDRESS = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";

describe.each([
  ["public-key export", PUBLIC_KEY, /^0x[0-9a-f]{128}$/],
  ["public-key export-address", ADDRESS, /^0x[0-9a-f]{40}$/],
])("%s", (id, value, form) => {
  it("prints only the property of the node key", async () => {
    await using folder = await createFolder({ key: PRIVATE_KEY });

    expect(await run(id, {}, folder.path)).toBe(`${value}\n`);
  });

  it("creates and stores a key if the node has none", async () => {
    await using folder = await createFolder({});

    const first = await run(id, {}, folder.path);
    const second = await run(id, {}, folder.path);

    expect(first.trim()).toMatch(form);
    expect(second).toBe(first);
    expect(await readdir(folder.path)).toEqual(["key"]);
  });

  it("prints the property of the key in a named file", async () => {
    await using folder = await createFolder({ other: `0x${PRIVATE_KEY}\n` });
    const nodePrivateKeyFile = join(folder.path, "other");

    expect(await run(id, { nodePrivateKeyFile }, folder.path)).toBe(`${value}\n`);
    expect(await readdir(folder.path)).toEqual(["other"]);
  });

  it("writes to a file, without a line break", async () => {
    await using folder = await createFolder({
      key: PRIVATE_KEY,
      out: "something longer".repeat(20),
    });
    const to = join(folder.path, "out");

    const stdout = await run(id, { to }, folder.path);

    expect(await readFile(to, "utf8")).toBe(value);
    expect(stdout).toBe("");
  });

  it("does not create a named file", async () => {
    await using folder = await createFolder({});
    const nodePrivateKeyFile = join(folder.path, "missing");

    await expect(run(id, { nodePrivateKeyFile }, folder.path)).rejects.toMatchObject({
      name: "ConfigError",
      message: expect.stringMatching(/^Private key file doesn't exist/),
    });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("rejects a file that contains no key, without repeating it", async () => {
    await using folder = await createFolder({ other: `${PRIVATE_KEY}00` });
    const nodePrivateKeyFile = join(folder.path, "other");

    const failure = run(id, { nodePrivateKeyFile }, folder.path);

    await expect(failure).rejects.toMatchObject({
      name: "ConfigError",
      message: expect.stringMatching(/^Private key cannot be loaded from file/),
    });
    await expect(failure).rejects.not.toThrow(PRIVATE_KEY);
  });

  it("rejects a folder in place of a key", async () => {
    await using folder = await createFolder({});
    const nodePrivateKeyFile = join(folder.path, "folder");
    await mkdir(nodePrivateKeyFile);

    await expect(run(id, { nodePrivateKeyFile }, folder.path)).rejects.toMatchObject({
      name: "ConfigError",
      message: expect.stringMatching(/^Private key cannot be loaded from file/),
    });
  });

  it("fails if it cannot write", async () => {
    await using folder = await createFolder({ key: PRIVATE_KEY });
    const to = join(folder.path, "no", "such", "folder");

    await expect(run(id, { to }, folder.path)).rejects.toMatchObject({
      name: "PlinthError",
      code: "OUTPUT_UNWRITABLE",
      message: expect.stringContaining(to),
    });
  });
});

/** Keys as provided by a key plugin. */
const keys = definePlugin({
  name: "keys",
  setup: (node) =>
    node.keys.driver({
      name: "localfile",
      open: ({ dataPath }) => openKeyFile(join(dataPath, "key")),
    }),
});

/** Runs a command of a node in the folder; returns its output. */
async function run(
  id: string,
  flags: Readonly<Record<string, string>>,
  dataPath: string,
): Promise<string> {
  const node = await createNode({ plugins: [cmdPublicKey, keys], options: { dataPath } });
  const command = node.commands().find(({ item }) => item.id === id)?.item;
  if (command === undefined) throw new Error(`there is no command ${id}`);
  let stdout = "";
  const io: CommandIo = {
    warn() {},
    read: async () => "",
    async write(text, path) {
      if (path === undefined) stdout += `${text}\n`;
      else await writeFile(path, text);
    },
  };
  const log = silentLogs.for("test");
  await runCommand(node, command, { flags: { ecCurve: "secp256k1", ...flags }, args: [], io, log });
  return stdout;
}

/** A temporary folder with these files. */
async function createFolder(files: Readonly<Record<string, string>>) {
  const path = await mkdtemp(join(tmpdir(), "plinth-public-key-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
