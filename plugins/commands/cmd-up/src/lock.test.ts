import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findHolder, takeLock } from "./lock.js";

describe("the lock of a network", () => {
  it("is held by one, and free again afterwards", async () => {
    await using folder = await createFolder();
    {
      await using _lock = await takeLock(folder.path, "up.lock");

      expect(await findHolder(folder.path, "up.lock")).toMatchObject({ pid: process.pid });
      await expect(takeLock(folder.path, "up.lock")).rejects.toMatchObject({
        code: "NETWORK_BUSY",
        message: expect.stringContaining(`process ${process.pid}`),
      });
    }
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("is taken from a dead process, even if another has its id by now", async () => {
    await using folder = await createFolder();
    const stale = JSON.stringify({ pid: process.pid, startedAt: "long ago" });
    await writeFile(join(folder.path, "up.lock.0123456789ab"), stale);

    expect(await findHolder(folder.path, "up.lock")).toBeUndefined();
    await using _lock = await takeLock(folder.path, "up.lock");

    expect(await findHolder(folder.path, "up.lock")).toBeDefined();
    expect(await readdir(folder.path)).toHaveLength(1);
  });

  it.each(["", '{"pid":', "null"])("is free if the file contains %j", async (torn) => {
    await using folder = await createFolder();
    await writeFile(join(folder.path, "up.lock.0123456789ab"), torn);

    expect(await findHolder(folder.path, "up.lock")).toBeUndefined();
    await using _lock = await takeLock(folder.path, "up.lock");

    expect(await readdir(folder.path)).toHaveLength(1);
  });

  it("is taken by at most one of many concurrent ones, and can be taken afterwards", async () => {
    await using folder = await createFolder();
    const stale = JSON.stringify({ pid: 0, startedAt: "" });
    await writeFile(join(folder.path, "up.lock.0123456789ab"), stale);

    const asked = Array.from({ length: 8 }, () => takeLock(folder.path, "up.lock"));
    const outcomes = await Promise.allSettled(asked);

    const taken = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(taken.length).toBeLessThanOrEqual(1);
    for (const { value } of taken) await value[Symbol.asyncDispose]();
    await using _lock = await takeLock(folder.path, "up.lock");
    expect(await readdir(folder.path)).toHaveLength(1);
  });
});

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), "plinth-lock-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
