import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PlinthError } from "@plinth/core";
import { type FoundProcess, findProcess } from "./processes.js";

/** Holds a folder for this process: who comes second is refused, and what a dead process held is free. */
export async function takeLock(folder: string, name: string): Promise<AsyncDisposable> {
  const path = join(folder, name);
  const own = JSON.stringify(await getSelf());
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, own);
  try {
    for (;;) {
      const isTaken = await link(draft, path).then(() => false, trueIfThere);
      if (!isTaken) break;
      const text = await readFile(path, "utf8").catch(() => NOTHING);
      const holder = await holderIn(text);
      if (holder !== undefined) throw busy(folder, holder);
      await removeStale(path, { draft, text });
    }
  } finally {
    await rm(draft, { force: true });
  }
  return {
    async [Symbol.asyncDispose]() {
      if ((await readFile(path, "utf8").catch(() => "")) === own) await rm(path, { force: true });
    },
  };
}

/** The process that holds a folder, if it lives. */
export async function findHolder(folder: string, name: string): Promise<FoundProcess | undefined> {
  return holderIn(await readFile(join(folder, name), "utf8").catch(() => NOTHING));
}

const NOTHING = "{}";

async function holderIn(text: string): Promise<FoundProcess | undefined> {
  const { pid, startedAt } = JSON.parse(text);
  const found = typeof pid === "number" ? await findProcess(pid) : undefined;
  return found?.startedAt === startedAt ? found : undefined;
}

async function getSelf() {
  const self = await findProcess(process.pid);
  return { pid: process.pid, startedAt: self?.startedAt };
}

/**
 * Moved first: another process that does the same at this moment finds nothing to move.
 *
 * Where it was faster, and has taken the lock already, its lock is put back.
 */
async function removeStale(
  path: string,
  { draft, text }: { readonly draft: string; readonly text: string },
): Promise<void> {
  const moved = `${draft}.stale`;
  try {
    await rename(path, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if ((await readFile(moved, "utf8")) !== text) await link(moved, path).catch(trueIfThere);
  await rm(moved, { force: true });
}

function trueIfThere(error: NodeJS.ErrnoException): true {
  if (error.code === "EEXIST") return true;
  throw error;
}

function busy(folder: string, { pid }: FoundProcess): PlinthError {
  return new PlinthError("NETWORK_BUSY", {
    message: `the network in ${folder} is run by process ${pid} already; \`plinth --data-path=${folder} up status\` shows it, \`up stop\` stops it`,
    pid,
  });
}
