import {
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@plinth/core";
import { isProcessRunning } from "@plinth/core/kernel";

/** The files that npm changes in the plugin folder. */
const CHANGED = ["package.json", "package-lock.json", "node_modules"];

/** The state before an incomplete change; it is written atomically. */
const BEFORE = ".before";
/** Folders of one process, whose id follows. */
const OWN = ".before-";
/** Longer than any installation takes: after an hour the process id belongs to another process. */
const LONGEST_MS = 60 * 60 * 1000;

interface Change {
  /** The process that makes the change. */
  readonly process: number;
  /** Which of the files existed. */
  readonly kept: readonly string[];
}

/** Changes the installed plugins atomically, also if the process is killed meanwhile. */
export async function changeHome<T>(home: string, change: () => Promise<T>): Promise<T> {
  const other = findRunning(home);
  if (other !== undefined) throw busy(home, other);
  undoKilled(home);
  await keep(home);
  const done = join(home, `${OWN}${process.pid}-done`);
  let result: T;
  try {
    result = await change();
    await rename(join(home, BEFORE), done);
  } catch (error) {
    undo(home);
    throw error;
  }
  await rm(done, { recursive: true, force: true });
  return result;
}

function busy(home: string, process: number | undefined): ConfigError {
  return new ConfigError("PLUGINS_BUSY", {
    message: `another process is changing the plugins in ${home}: ${process ?? "it has just started"}; try again when it has ended`,
  });
}

/** Reverts a change that was killed halfway; does nothing while one is in progress. */
export function undoKilled(home: string): void {
  if (!existsSync(join(home, BEFORE)) || findRunning(home) !== undefined) return;
  undo(home);
}

async function keep(home: string): Promise<void> {
  await mkdir(home, { recursive: true });
  await removeLeft(home);
  const part = join(home, `${OWN}${process.pid}-part`);
  try {
    await mkdir(part);
    const kept = CHANGED.filter((name) => existsSync(join(home, name)));
    for (const name of kept) {
      await cp(join(home, name), join(part, name), {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
      });
    }
    const change: Change = { process: process.pid, kept };
    await writeFile(join(part, "change.json"), JSON.stringify(change));
    await rename(part, join(home, BEFORE));
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    // Another process was faster; npm may have changed meanwhile what is copied here.
    if (existsSync(join(home, BEFORE))) throw busy(home, findRunning(home));
    throw error;
  }
}

/** Removes the leftovers of processes killed before or after a change. */
async function removeLeft(home: string): Promise<void> {
  for (const name of readdirSync(home).filter((each) => each.startsWith(OWN))) {
    const id = Number.parseInt(name.slice(OWN.length), 10);
    if (Number.isNaN(id) || id === process.pid || !isProcessRunning(id)) {
      await rm(join(home, name), { recursive: true, force: true });
    }
  }
}

/** Can be repeated after an interruption at any point. */
function undo(home: string): void {
  const change = readChange(home);
  for (const name of change === undefined ? [] : CHANGED) {
    const before = join(home, BEFORE, name);
    const wasThere = change?.kept.includes(name);
    if (wasThere && !existsSync(before)) continue;
    rmSync(join(home, name), { recursive: true, force: true });
    if (wasThere) renameSync(before, join(home, name));
  }
  rmSync(join(home, BEFORE), { recursive: true, force: true });
}

/** The process that is making a change. */
function findRunning(home: string): number | undefined {
  const change = readChange(home);
  if (change === undefined || change.process === process.pid) return undefined;
  const age = Date.now() - statSync(join(home, BEFORE, "change.json")).mtimeMs;
  if (age >= LONGEST_MS) return undefined;
  return isProcessRunning(change.process) ? change.process : findNpm(home);
}

/** An npm that continues after the process that started it was killed; detected on Linux only. */
function findNpm(home: string): number | undefined {
  if (!existsSync("/proc/self/cwd")) return undefined;
  const folder = realpathSync(home);
  const found = readdirSync("/proc").find((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return (
        readlinkSync(`/proc/${id}/cwd`) === folder &&
        readFileSync(`/proc/${id}/cmdline`, "utf8").includes("npm")
      );
    } catch {
      // It has ended meanwhile, or belongs to another user.
      return false;
    }
  });
  return found === undefined ? undefined : Number(found);
}

function readChange(home: string): Change | undefined {
  const path = join(home, BEFORE, "change.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}
