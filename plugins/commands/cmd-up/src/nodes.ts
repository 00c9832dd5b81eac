import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PlinthError } from "@plinth/core";
import { LOG_FILE, type Network, type NetworkNode } from "@plinth/plugin-cmd-genesis/api";
import { commandOf, isZombie, listProcesses } from "./processes.js";

const STOP_LIMIT_MS = 30_000;
/** How long a killed process may take to disappear. */
const KILL_LIMIT_MS = 10_000;
const LOOK_MS = 50;

/** How a process ended. */
export type ProcessEnd = string;

/**
 * The processes of a network's nodes, by node name, including those that another process started.
 *
 * Their whole command line is compared: another program that names the file of a node does not match.
 */
export async function findRunning(
  folder: string,
  { nodes }: Pick<Network, "nodes">,
  program: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const processes = await listProcesses();
  return new Map(
    nodes.flatMap(({ name }) => {
      const expected = commandOf([...program, configWord(folder, name)]);
      const found = processes.find(({ command }) => command === expected);
      return found === undefined ? [] : [[name, found.pid] as const];
    }),
  );
}

/**
 * Starts a node as a separate process, which continues when this one ends.
 *
 * It has its own process group: Ctrl-C is for this program, which then stops the nodes gracefully.
 */
export async function launchNode({
  program,
  folder,
  node,
  ended,
}: {
  readonly program: readonly string[];
  readonly folder: string;
  readonly node: Pick<NetworkNode, "name">;
  readonly ended: (end: ProcessEnd) => void;
}): Promise<number> {
  const home = join(folder, node.name);
  const log = await open(join(home, LOG_FILE), "a");
  try {
    const [file = process.execPath, ...words] = program;
    const child = spawn(file, [...words, configWord(folder, node.name)], {
      cwd: home,
      env: withoutOptions(process.env),
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    await once(child, "spawn");
    child.once("exit", (code, signal) => ended(signal ?? `exit code ${code}`));
    child.unref();
    return child.pid ?? 0;
  } finally {
    await log.close();
  }
}

/** Starts nodes, all of them or none; returns their processes by name. */
export async function launchNodes(
  nodes: readonly Pick<NetworkNode, "name">[],
  {
    ended,
    ...place
  }: {
    readonly program: readonly string[];
    readonly folder: string;
    readonly ended: (name: string, end: ProcessEnd) => void;
  },
): Promise<ReadonlyMap<string, number>> {
  const pids = new Map<string, number>();
  try {
    for (const node of nodes) {
      const launched = launchNode({ ...place, node, ended: (end) => ended(node.name, end) });
      pids.set(node.name, await launched);
    }
    return pids;
  } catch (error) {
    await stopNodes(pids.values());
    throw error;
  }
}

/** Stops nodes gracefully, by force after half a minute; resolves when they are gone. */
export async function stopNodes(pids: Iterable<number>): Promise<void> {
  await Promise.all([...pids].map((pid) => stopProcess(pid, STOP_LIMIT_MS)));
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return false;
    // It exists, but belongs to another user.
    if (code === "EPERM") return true;
    throw error;
  }
}

/** Stops a process, by force after a time; resolves when it is gone. */
export async function stopProcess(pid: number, limitMs: number): Promise<void> {
  if (!signal(pid, "SIGTERM") || (await hasEnded(pid, limitMs))) return;
  if (!signal(pid, "SIGKILL") || (await hasEnded(pid, KILL_LIMIT_MS))) return;
  throw new PlinthError("NETWORK_BUSY", {
    message: `process ${pid} is still running ${KILL_LIMIT_MS / 1000} s after SIGKILL; \`ps -p ${pid}\` shows what it is waiting for`,
    pid,
  });
}

async function hasEnded(pid: number, limitMs: number): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (isAlive(pid)) {
    if (Date.now() > end) return false;
    await sleep(LOOK_MS);
  }
  return true;
}

/** Whether there was a process for the signal. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ESRCH") return false;
    if (code !== "EPERM") throw cause;
    throw new PlinthError("NETWORK_BUSY", {
      message: `process ${pid} belongs to another user and cannot be stopped; stop the network as the user who started it`,
      pid,
      cause,
    });
  }
}

/** The unique part of the command line of a node. */
function configWord(folder: string, name: string): string {
  return `--config-file=${join(folder, name, "plinth.toml")}`;
}

/**
 * Environment variables for options override the file of a node, and would apply to all of them.
 */
function withoutOptions(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(PLINTH|BESU)_/.test(name)),
  );
}
