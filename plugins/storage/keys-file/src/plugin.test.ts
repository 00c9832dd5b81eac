import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import keysFile from "./index.js";

const PRIVATE_KEY = "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
const ADDRESS = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";

describe("a node with its key in a file", () => {
  it("uses the key of its data path", async () => {
    await using folder = await createFolder({ key: PRIVATE_KEY });

    await using node = await startNode({ dataPath: folder.path });

    expect(node.node.nodeKey?.address).toBe(ADDRESS);
  });

  it("creates one if there is none, and uses it again the next time", async () => {
    await using folder = await createFolder({});
    const dataPath = join(folder.path, "new", "data");
    const first = await startNode({ dataPath });
    await first.stop();

    await using second = await startNode({ dataPath });

    expect(second.node.nodeKey?.address).toBe(first.node.nodeKey?.address);
    expect(await readdir(dataPath)).toEqual(["key"]);
  });

  it("uses the key of a named file", async () => {
    await using folder = await createFolder({ other: PRIVATE_KEY });
    const nodePrivateKeyFile = join(folder.path, "other");

    await using node = await startNode({ dataPath: join(folder.path, "data"), nodePrivateKeyFile });

    expect(node.node.nodeKey?.address).toBe(ADDRESS);
  });

  it.each(["localfile", "LocalFile"])("can select the security module %s", async (name) => {
    await using folder = await createFolder({ key: PRIVATE_KEY });

    await using node = await startNode({ dataPath: folder.path, securityModule: name });

    expect(node.node.nodeKey?.address).toBe(ADDRESS);
  });

  it("does not start with a security module that no plugin offers", async () => {
    await using folder = await createFolder({});

    const start = startNode({ dataPath: folder.path, securityModule: "vault" });

    await expect(start).rejects.toMatchObject({
      name: "ConfigError",
      code: "DRIVER_UNKNOWN",
      message: expect.stringContaining("localfile"),
    });
  });

  it("does not start with a file that contains no key", async () => {
    await using folder = await createFolder({ key: "no key" });

    await expect(startNode({ dataPath: folder.path })).rejects.toMatchObject({
      name: "ConfigError",
      code: "KEY_FILE_INVALID",
    });
  });

  it("keeps the plugin while it runs", async () => {
    await using folder = await createFolder({});
    await using node = await startNode({ dataPath: folder.path });

    await expect(node.disable("keys-file")).rejects.toMatchObject({ code: "PLUGIN_NOT_DISABLED" });
  });
});

function startNode(options: Readonly<Record<string, string>>) {
  return createTestNode({ plugins: [keysFile], options });
}

/** A temporary folder with these files. */
async function createFolder(files: Readonly<Record<string, string>>) {
  const path = await mkdtemp(join(tmpdir(), "plinth-keys-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
