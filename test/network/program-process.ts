import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { call, environmentOf, PROGRAM } from "../support/program.js";
import { until } from "./network-node.js";

const LIMIT_MS = 120_000;

/** A node as listed in the network file. */
export interface ListedNode {
  readonly name: string;
  readonly address: string;
  readonly rpcPort: number;
  readonly metricsPort?: number;
  readonly manager?: { readonly publicKey: string; readonly nodePort: number };
}

/** The program as an operator runs it, in the foreground. */
export class ProgramProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #closed: Promise<number | null>;
  #output = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#closed = once(child, "close").then(([code]) => code);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
      });
    }
  }

  static start(words: readonly string[], folder: string): ProgramProcess {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: folder,
      env: environmentOf(folder),
      stdio: "pipe",
    });
    return new ProgramProcess(child);
  }

  output(): string {
    return this.#output;
  }

  /** Waits for a text; returns how long that took. */
  async printed(text: string | RegExp): Promise<number> {
    const isThere = () =>
      typeof text === "string" ? this.#output.includes(text) : text.test(this.#output);
    const closed = this.#closed.then((code) => {
      if (!isThere()) throw new Error(`it ended with ${code}:\n${this.#output}`);
      return 0;
    });
    return Promise.race([until(async () => isThere(), LIMIT_MS), closed]);
  }

  /** Sends a signal and waits for the end; returns the exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGTERM");
  }
}

/** The nodes of a network, as its folder lists them. */
export function listNodes(folder: string): readonly ListedNode[] {
  return JSON.parse(readFileSync(join(folder, "network.json"), "utf8")).nodes;
}

/** Calls a method of a node. */
export function callNode({ rpcPort }: ListedNode, method: string, params: readonly unknown[] = []) {
  return call(`http://127.0.0.1:${rpcPort}`, method, params);
}

/** The processes of the nodes in a folder. */
export async function findNodeProcesses(folder: string): Promise<readonly number[]> {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandOf(pid).includes(`--config-file=${folder}/`))
    .sort((a, b) => a - b);
}

/** Ends what a failing test leaves behind. */
export function endingNodes(folder: string): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      for (const pid of await findNodeProcesses(folder)) process.kill(pid, "SIGKILL");
    },
  };
}

/** Undefined for a process that has ended meanwhile. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** The memory of a process. */
export function residentMebibytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
