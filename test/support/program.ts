import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The program as an operator runs it. */
export const PROGRAM = join(ROOT, "cli/bin/plinth.js");
/** The genesis file of the profile `dev`. */
export const DEV_PROFILE_GENESIS = join(ROOT, "cli/profiles/dev-genesis.json");
/** A small genesis file. */
export const GENESIS = join(ROOT, "examples/minimal-node/genesis.json");

/** The environment of a program. */
export interface RunSettings {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end. */
export type RunProgram = (words: readonly string[], settings: RunSettings) => Promise<Ended>;

/** Runs the program as a separate process. */
export const runProgram: RunProgram = async (words, settings) => {
  const running = launch(words, settings);
  running.child.stdin?.end(settings.input ?? "");
  const [code] = await once(running.child, "close");
  return { code, stdout: running.stdout(), stderr: running.stderr() };
};

/** A node process. */
export interface RunningNode extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly wsUrl: string;
  readonly graphqlUrl: string;
  /** Its output so far. */
  output(): string;
  /** Calls a method; rejects with the error object. */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** Starts a node on free ports and waits until it is up; its data goes into the folder `data`. */
export async function startNode(
  words: readonly string[],
  settings: RunSettings,
): Promise<RunningNode> {
  const dataPath = join(settings.folder, "data");
  // Variables, because a node without a listener does not have its options.
  const environment = {
    PLINTH_DATA_PATH: dataPath,
    PLINTH_RPC_HTTP_PORT: "0",
    PLINTH_RPC_WS_PORT: "0",
    PLINTH_GRAPHQL_HTTP_PORT: "0",
    PLINTH_XVERIFY_OWN_BLOCKS: "true",
    PLINTH_P2P_ENABLED: "false",
    ...evmOfTests(),
    ...settings.environment,
  };
  const running = launch(words, { ...settings, environment });
  const closed = once(running.child, "close").then(([code]) => code as number | null);
  await running.printed("Ethereum main loop is up.", closed);
  const ports = readPorts(join(dataPath, "plinth.ports"));
  const url = `http://127.0.0.1:${ports["json-rpc"]}`;
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    running.child.kill(signal);
    return { code: await closed, stdout: running.stdout(), stderr: running.stderr() };
  };
  return {
    pid: running.child.pid ?? 0,
    url,
    wsUrl: `ws://127.0.0.1:${ports["ws-rpc"]}`,
    graphqlUrl: `http://127.0.0.1:${ports["graphql-http"]}/graphql`,
    output: () => running.stdout() + running.stderr(),
    rpc: (method, params = []) => call(url, method, params),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

/** Calls a method over HTTP. */
export async function call(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error !== undefined) throw error;
  return result;
}

/** The EVM of in-process test nodes, if it is not the default. */
function evmOfTests(): Record<string, string> {
  const { PLINTH_TEST_EVM: name } = process.env;
  return name === undefined ? {} : { PLINTH_EVM: name };
}

/** The layout of states of all tests, if it is not the default. */
function statesOfTests(): Record<string, string> {
  const { PLINTH_TEST_STATES: format } = process.env;
  return format === undefined ? {} : { PLINTH_DATA_STORAGE_FORMAT: format };
}

/** Only the search path from the environment of the tests. */
export function environmentOf(
  folder: string,
  environment: RunSettings["environment"] = {},
): Record<string, string | undefined> {
  return { PATH: process.env.PATH, HOME: folder, ...statesOfTests(), ...environment };
}

interface Launched {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when the text was printed; rejects with the output if the process ends before. */
  printed(text: string, closed: Promise<unknown>): Promise<void>;
}

function launch(words: readonly string[], { folder, environment = {} }: RunSettings): Launched {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: folder,
    env: environmentOf(folder, environment),
    stdio: "pipe",
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  return {
    child,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    async printed(text, closed) {
      const found = new Promise<void>((resolve) => {
        child.stdout?.on("data", () => texts.stdout.includes(text) && resolve());
      });
      const ended = closed.then((code) => {
        throw new Error(`the node ended with ${code}:\n${texts.stdout}${texts.stderr}`);
      });
      await Promise.race([found, ended]);
    },
  };
}

/** The ports file is written before the line that reports that the node is up. */
function readPorts(path: string): Record<string, string> {
  const lines = readFileSync(path, "utf8").split("\n");
  return Object.fromEntries(
    lines
      .filter((line) => !line.startsWith("#"))
      .map((line) => line.split("=") as [string, string]),
  );
}
