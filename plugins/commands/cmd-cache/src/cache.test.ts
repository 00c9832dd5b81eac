import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommandIo } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { createNode, runCommand } from "@plinth/node";
import { createTempFolder } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import cmdCache from "./index.js";

const HASH = `0x${"ab".repeat(32)}`;
const MIB = 2 ** 20;

describe("the cache of lazy forks", () => {
  it("is listed by chain and block", async () => {
    await using folder = await createCache();

    expect(await run("cache ls", { folder: folder.path })).toBe(
      `${folder.path}: 3 blocks, 1.5 MiB\nchain 1, block 7 (${HASH}): 1.0 MiB\nchain 1, block 20 (${HASH}): 0.5 MiB\nchain 5, block 7 (${HASH}): 0.0 MiB\n`,
    );
  });

  it("is removed: one block, one chain, all of it", async () => {
    await using folder = await createCache();
    const clean = (flags: object) => run("cache clean", { folder: folder.path, ...flags });

    expect(await clean({ chainId: 1, block: 7 })).toContain("removed 1 block, 1.0 MiB");
    expect(await clean({ chainId: 5 })).toContain("removed 1 block, 0.0 MiB");
    expect(await clean({})).toContain("removed 1 block, 0.5 MiB");
    expect(await run("cache ls", { folder: folder.path })).toContain("0 blocks");
  });

  it("is empty without a folder", async () => {
    await using folder = await createTempFolder();

    expect(await run("cache ls", { folder: join(folder.path, "none") })).toContain("0 blocks");
  });
});

/** A cache of three blocks, beside files of others. */
async function createCache() {
  const folder = await createTempFolder();
  const write = async (chain: string, name: string, bytes: number) => {
    await mkdir(join(folder.path, chain), { recursive: true });
    await writeFile(join(folder.path, chain, name), Buffer.alloc(bytes));
  };
  await write("1", `7-${HASH}.values`, MIB);
  await write("1", `20-${HASH}.values`, MIB / 2);
  await write("5", `7-${HASH}.values`, 0);
  await write("5", "notes.txt", MIB);
  await write("other", `7-${HASH}.values`, MIB);
  return folder;
}

async function run(id: string, flags: object): Promise<string> {
  const node = await createNode({ plugins: [cmdCache] });
  const command = node.commands().find(({ item }) => item.id === id)?.item;
  if (command === undefined) throw new Error(`there is no command ${id}`);
  let stdout = "";
  const io: CommandIo = {
    warn() {},
    read: () => Promise.reject(new Error("nothing is read")),
    async write(text) {
      stdout += `${text}\n`;
    },
  };
  await runCommand(node, command, {
    flags: { ...flags },
    args: [],
    io,
    log: silentLogs.for("test"),
  });
  return stdout;
}
