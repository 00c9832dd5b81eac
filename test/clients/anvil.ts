import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { clientFolder } from "./installed.js";

/** A running Anvil process. */
export interface Anvil extends AsyncDisposable {
  readonly url: string;
  /** Calls a method; rejects with the error object. */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts Anvil on a free port. */
export async function startAnvil(words: readonly string[] = []): Promise<Anvil> {
  const program = join(clientFolder("foundry"), "node_modules/.bin/anvil");
  const child = spawn(program, ["--port", "0", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const url = `http://${await listeningOn(child.stdout)}`;
  // Its later output must not fill the pipe.
  child.stdout.resume();
  const stop = async () => {
    child.kill("SIGINT");
    await closed;
  };
  return {
    url,
    rpc: (method, params) => call(url, method, params),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function listeningOn(output: Readable): Promise<string> {
  let text = "";
  for await (const piece of output.iterator({ destroyOnReturn: false })) {
    text += String(piece);
    const found = /Listening on (\S+)/.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`anvil does not listen: ${text}`);
}

async function call(url: string, method: string, params: readonly unknown[] = []) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: object };
  if (error !== undefined) throw Object.assign(new Error(JSON.stringify(error)), error);
  return result;
}
