// `npm run bench reads`: `eth_blockNumber` and `eth_getBalance` of a development chain with its defaults, against a bare
// fastify route that sends the same bytes.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isUp, median } from "./measured.mjs";
import { PROGRAM } from "./node-process.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const ACCOUNT = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const CALLS = [
  ["eth_blockNumber", []],
  ["eth_getBalance", [ACCOUNT, "latest"]],
];
const MIN_RATIO = 0.9;

/** What, requests per second of the node, those of the route, and the minimum ratio. */
export async function benchSmallReads(rounds, seconds) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-reads-"));
  const words = [PROGRAM, "dev", "--port=0", `--data-path=${folder}`];
  const node = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await isUp(node);
    node.removeAllListeners("close");
    node.stdout.resume();
    const [, port] = /json-rpc=(\d+)/.exec(readFileSync(join(folder, "plinth.ports"), "utf8"));
    const rows = [];
    for (const [method, params] of CALLS) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const response = await (
        await fetch(`http://127.0.0.1:${port}`, { method: "POST", body })
      ).text();
      const route = spawn(process.execPath, [here("peers/bare-fastify.mjs"), method, response], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        const [routePort] = await once(route.stdout, "data");
        const rates = { ours: [], peer: [] };
        for (let round = 0; round < rounds; round++) {
          rates.peer.push(await load(String(routePort).trim(), body, seconds));
          rates.ours.push(await load(port, body, seconds));
        }
        rows.push([method, median(rates.ours), median(rates.peer), MIN_RATIO]);
      } finally {
        await end(route);
      }
    }
    return rows;
  } finally {
    await end(node);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function load(port, body, seconds) {
  const words = [here("http-load.mjs"), port, body, String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return Number(stdout);
}

async function end(child) {
  const closed = once(child, "close");
  child.kill();
  await closed;
}
