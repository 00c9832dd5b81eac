import { randomBytes } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PlinthError } from "@plinth/core";
import { type FoundProcess, findProcess } from "./processes.js";

/**
 * Locks a folder for this process: a second process is rejected, and a lock of a dead process is free.
 *
 * Each process first creates its own file and then checks for others, so that of two concurrent ones none overlooks the
 * other; both may be rejected. A file is removed only by its owner, or after its owner's death.
 */
export async function takeLock(folder: string, name: string): Promise<AsyncDisposable> {
  const own = `${name}.${randomBytes(6).toString("hex")}`;
  const remove = () => rm(join(folder, own), { force: true });
  const self = await findProcess(process.pid);
  const draft = join(folder, `${own}.tmp`);
  await writeFile(draft, JSON.stringify({ pid: process.pid, startedAt: self?.startedAt }));
  await rename(draft, join(folder, own));
  try {
    for (const file of await listLocks(folder, name)) {
      if (file === own) continue;
      const holder = await findHolderOf(join(folder, file));
      if (holder !== undefined) throw busy(folder, holder);
      await rm(join(folder, file), { force: true });
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { [Symbol.asyncDispose]: remove };
}

/** The living process that holds a folder. */
export async function findHolder(folder: string, name: string): Promise<FoundProcess | undefined> {
  for (const file of await listLocks(folder, name)) {
    const holder = await findHolderOf(join(folder, file));
    if (holder !== undefined) return holder;
  }
  return undefined;
}

async function listLocks(folder: string, name: string): Promise<readonly string[]> {
  const files = await readdir(folder);
  return files.filter((file) => file.startsWith(`${name}.`) && /\.[0-9a-f]{12}$/.test(file));
}

async function findHolderOf(path: string): Promise<FoundProcess | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  const { pid, startedAt } = parseLock(text);
  const found = typeof pid === "number" ? await findProcess(pid) : undefined;
  return found?.startedAt === startedAt ? found : undefined;
}

/** An empty file is left by a crashed machine, and held by no one. */
function parseLock(text: string): { readonly pid?: unknown; readonly startedAt?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}

function busy(folder: string, { pid }: FoundProcess): PlinthError {
  return new PlinthError("NETWORK_BUSY", {
    message: `the network in ${folder} is already run by process ${pid}; \`plinth --data-path=${folder} up status\` shows it, \`up stop\` stops it`,
    pid,
  });
}
