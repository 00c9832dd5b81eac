import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Network, NetworkNode } from "@plinth/plugin-cmd-genesis/api";
import { listProcesses } from "./processes.js";

/** The log of a node, in its folder. */
export const LOG_FILE = "node.log";

const STOP_LIMIT_MS = 30_000;
const LOOK_MS = 50;

/** How a process came to its end. */
export type ProcessEnd = string;

/** The processes of a network's nodes, by the names of the nodes, also those that another process started. */
export async function findRunning(
  folder: string,
  { nodes }: Pick<Network, "nodes">,
): Promise<ReadonlyMap<string, number>> {
  const processes = await listProcesses();
  return new Map(
    nodes.flatMap(({ name }) => {
      const word = configWord(folder, name);
      const found = processes.find(
        ({ command }) => command.endsWith(` ${word}`) || command.includes(` ${word} `),
      );
      return found === undefined ? [] : [[name, found.pid] as const];
    }),
  );
}

/**
 * Starts a node as a process of its own, which goes on when this one ends.
 *
 * It has its own process group: Ctrl-C is for this program, which then stops the nodes in good order.
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

/** Starts nodes, all of them or none; answers their processes by name. */
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

/** Stops nodes in good order, by force after half a minute; resolves when they are gone. */
export async function stopNodes(pids: Iterable<number>): Promise<void> {
  await Promise.all([...pids].map(stopNode));
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  return signal(pid, 0);
}

async function stopNode(pid: number): Promise<void> {
  if (!signal(pid, "SIGTERM")) return;
  const end = Date.now() + STOP_LIMIT_MS;
  while (isAlive(pid)) {
    if (Date.now() > end) signal(pid, "SIGKILL");
    await sleep(LOOK_MS);
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

/** What the command line of a node has and no other has. */
function configWord(folder: string, name: string): string {
  return `--config-file=${join(folder, name, "plinth.toml")}`;
}

/** Variables that set options are stronger than the file of a node, and would hold for all of them. */
function withoutOptions(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(PLINTH|BESU)_/.test(name)),
  );
}
