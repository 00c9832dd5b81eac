import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processIo } from "./command-io.js";

describe("a file written by a command", () => {
  it("is replaced atomically, and nothing else is left", async () => {
    await using folder = await createFolder();
    const path = join(folder.path, "out");
    await writeFile(path, "something longer");

    await processIo.write("short", path);

    expect(await readFile(path, "utf8")).toBe("short");
    expect(await readdir(folder.path)).toEqual(["out"]);
  });

  it("follows a link", async () => {
    await using folder = await createFolder();
    const path = join(folder.path, "link");
    await writeFile(join(folder.path, "real"), "old");
    await symlink("real", path);

    await processIo.write("new", path);

    expect(await readlink(path)).toBe("real");
    expect(await readFile(join(folder.path, "real"), "utf8")).toBe("new");
  });

  it("may be a device", async () => {
    await expect(processIo.write("gone", "/dev/null")).resolves.toBeUndefined();
  });

  it("cannot be a folder, which is unchanged", async () => {
    await using folder = await createFolder();
    const path = join(folder.path, "out");
    await mkdir(path);

    await expect(processIo.write("text", path)).rejects.toMatchObject({ code: "EISDIR" });

    expect(await readdir(folder.path)).toEqual(["out"]);
  });
});

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), "plinth-io-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
