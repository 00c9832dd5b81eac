import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** A process of this machine. */
export interface FoundProcess {
  readonly pid: number;
  /** Its command line, words apart by one space. */
  readonly command: string;
  /** When it was started, in whatever form the system has: with the id, it names a process for good. */
  readonly startedAt: string;
}

/** Every process that this user may see; one that has ended and was not cleared away yet has no command. */
export async function listProcesses(): Promise<readonly FoundProcess[]> {
  if (process.platform !== "linux") return listWithPs();
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(readProcess));
  return found.filter((each) => each !== undefined);
}

/** A process by its id. */
export async function findProcess(pid: number): Promise<FoundProcess | undefined> {
  if (process.platform === "linux") return readProcess(pid);
  return (await listWithPs()).find((each) => each.pid === pid);
}

async function readProcess(pid: number): Promise<FoundProcess | undefined> {
  try {
    const words = await readFile(`/proc/${pid}/cmdline`, "utf8");
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    if (words === "") return undefined;
    // proc(5): the name in brackets may have blanks; the start time is the 20th field after it.
    const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
    return { pid, command: words.split("\0").join(" ").trimEnd(), startedAt };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // It has ended in between, or belongs to another user.
    if (code === "ENOENT" || code === "ESRCH" || code === "EACCES") return undefined;
    throw error;
  }
}

/** Systems without `/proc`: the start time has 24 characters, such as `Mon Nov 16 10:14:02 2026`. */
async function listWithPs(): Promise<readonly FoundProcess[]> {
  const words = ["-axww", "-o", "pid=,lstart=,command="];
  const { stdout } = await promisify(execFile)("ps", words, { maxBuffer: 2 ** 26 });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, startedAt = "", command = ""] = /^\s*(\d+)\s+(.{24})\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), command, startedAt }];
  });
}
