// Nodes as processes, for measurements of several of them.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { isUp } from "./measured.mjs";

/** The program as an operator runs it. */
export const PROGRAM = fileURLToPath(new URL("../../cli/bin/plinth.js", import.meta.url));

/** What `npm start` runs Node.js with. */
export const FLAGS = ["--max-semi-space-size=64"];

/** Starts a node on 127.0.0.1 without discovery; the port for peers is free by default. */
export async function startNode(words, port = 0, apis = "ETH,NET,ADMIN,TXPOOL,DEBUG", flags = []) {
  const rpcPort = await freePort();
  const wsPort = await freePort();
  const child = spawn(
    process.execPath,
    [
      ...flags,
      PROGRAM,
      ...words,
      "--rpc-http-enabled",
      `--rpc-http-port=${rpcPort}`,
      `--rpc-http-api=${apis}`,
      "--rpc-ws-enabled",
      `--rpc-ws-port=${wsPort}`,
      "--p2p-enabled=true",
      "--p2p-interface=127.0.0.1",
      `--p2p-port=${port === 0 ? await freePort() : port}`,
      "--nat-method=NONE",
      "--discovery-enabled=false",
      "--bootnodes=",
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await isUp(child);
  child.stdout.resume();
  const rpc = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`http://127.0.0.1:${rpcPort}`, { method: "POST", headers, body });
    const { result, error } = await response.json();
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const stop = () =>
    new Promise((resolve) => {
      child.removeAllListeners("close").once("close", resolve);
      child.kill();
    });
  return { pid: child.pid, rpc, wsUrl: `ws://127.0.0.1:${wsPort}`, stop };
}

/** A port that is free now. */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
