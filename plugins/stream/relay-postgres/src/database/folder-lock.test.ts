import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FolderLock } from "./folder-lock.js";

describe("the lock of a folder", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "plinth-relay-lock-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is for one user at a time", async () => {
    const lock = await FolderLock.acquire(folder);

    await expect(FolderLock.acquire(folder)).rejects.toMatchObject({ code: "RELAY_LOCKED" });
    await lock.release();
    await (await FolderLock.acquire(folder)).release();
  });

  it("is refused while another process has it, and taken over once it has ended", async () => {
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const ended = once(other, "exit");
    await writeFile(join(folder, "process-id"), String(other.pid));

    await expect(FolderLock.acquire(folder)).rejects.toThrow(`in use by process ${other.pid}`);
    other.kill("SIGKILL");
    await ended;
    const lock = await FolderLock.acquire(folder);
    expect(await readFile(join(folder, "process-id"), "utf8")).toBe(String(process.pid));
    await lock.release();
  });
});
