import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createOnce } from "./create-once.js";

const noLinks = async () => {
  throw Object.assign(new Error("operation not permitted"), { code: "EPERM" });
};

describe.each([
  ["with hard links", undefined],
  ["without hard links", noLinks],
])("createOnce on a file system %s", (_, link) => {
  it("creates a file that only its owner can read, and nothing else", async () => {
    await using folder = await createFolder();
    const path = join(folder.path, "key");

    expect(await createOnce({ path, text: "first" }, link)).toBe(true);

    expect(await readFile(path, "utf8")).toBe("first");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(["key"]);
  });

  it("keeps an existing file", async () => {
    await using folder = await createFolder();
    const path = join(folder.path, "key");
    await createOnce({ path, text: "first" }, link);

    expect(await createOnce({ path, text: "second" }, link)).toBe(false);

    expect(await readFile(path, "utf8")).toBe("first");
    expect(await readdir(folder.path)).toEqual(["key"]);
  });

  it("lets one of many win", async () => {
    await using folder = await createFolder();
    const path = join(folder.path, "key");
    const texts = Array.from({ length: 20 }, (_, n) => `text ${n}`);

    const won = await Promise.all(texts.map((text) => createOnce({ path, text }, link)));

    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await readFile(path, "utf8")).toBe(texts[won.indexOf(true)]);
  });
});

describe("createOnce", () => {
  it("propagates other errors and leaves nothing behind", async () => {
    await using folder = await createFolder();
    const path = join(folder.path, "key");
    const full = async () => {
      throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    };

    await expect(createOnce({ path, text: "first" }, full)).rejects.toThrow("no space left");

    expect(await readdir(folder.path)).toEqual([]);
  });
});

async function createFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "plinth-once-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
