import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** A process of this machine. */
export interface FoundProcess {
  readonly pid: number;
  /** Its command line, in the form of `commandOf`. */
  readonly command: string;
  /**
   * Its start time, in a system-specific form: together with the id, it identifies a process
   * permanently.
   */
  readonly startedAt: string;
}

const IS_LINUX = process.platform === "linux";

/** The command line of some arguments: `ps` joins them with spaces, Linux keeps them separate. */
export function commandOf(words: readonly string[]): string {
  return words.join(IS_LINUX ? "\0" : " ");
}

/** Every process visible to this user; a zombie has no command. */
export async function listProcesses(): Promise<readonly FoundProcess[]> {
  if (!IS_LINUX) return listWithPs();
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(readProcess));
  return found.filter((each) => each !== undefined);
}

/** A process by its id. */
export async function findProcess(pid: number): Promise<FoundProcess | undefined> {
  if (IS_LINUX) return readProcess(pid);
  return (await listWithPs()).find((each) => each.pid === pid);
}

async function readProcess(pid: number): Promise<FoundProcess | undefined> {
  try {
    const words = await readFile(`/proc/${pid}/cmdline`, "utf8");
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    if (words === "") return undefined;
    // proc(5): the start time is the 20th field after the name.
    return { pid, command: words.replace(/\0$/, ""), startedAt: fieldsAfterName(stat)[19] ?? "" };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // It has ended in between, or belongs to another user.
    if (code === "ENOENT" || code === "ESRCH" || code === "EACCES") return undefined;
    throw error;
  }
}

/**
 * Whether a process is a zombie: ended, but not reaped by its parent.
 *
 * If the first process of a container never reaps, it stays one for good.
 */
export function isZombie(pid: number): boolean {
  if (!IS_LINUX) return false;
  try {
    const [state = ""] = fieldsAfterName(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return state === "Z" || state === "X";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return true;
    throw error;
  }
}

/** proc(5): the name is in parentheses, and may itself contain spaces and parentheses. */
function fieldsAfterName(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/**
 * Systems without `/proc`: the start time has 24 characters, such as `Mon Nov 16 10:14:02 2026`.
 */
async function listWithPs(): Promise<readonly FoundProcess[]> {
  const words = ["-axww", "-o", "pid=,lstart=,command="];
  const { stdout } = await promisify(execFile)("ps", words, { maxBuffer: 2 ** 26 });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, startedAt = "", command = ""] = /^\s*(\d+)\s+(.{24})\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), command, startedAt }];
  });
}
