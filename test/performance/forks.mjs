// `npm run bench forks`: calls and transactions on a lazy fork compared with `anvil --fork-url`, of the same network through
// a proxy that delays each request by 20 ms. Needs `npm run clients`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./measured.mjs";
import { freePort, PROGRAM } from "./node-process.mjs";

const ANVIL = fileURLToPath(new URL("../clients/foundry/node_modules/.bin/anvil", import.meta.url));
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const DELAY_MS = 20;
const HOLDERS = 500;
const MAX_RATIO = 0.5;
const FROM = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const [MULTICALL, TOKEN, ...PAIRS] = [1, 2, 3, 4, 5].map(
  (n) => `0x${String(n).padStart(40, "c0de")}`,
);
/** `balanceOf`: the slot is the hash of the holder and 0. */
const TOKEN_CODE = "0x6004356000525f60205260405f20545f5260205ff3";
/** The sum of the balances at the first address of all others. */
const MULTICALL_CODE =
  "0x6370a0823160e01b600052600060205b36811015603657803560045260206040602460006000355afa50906040510190602001600f565b5060005260206000f3";
/** Adds slots 0 to 2 into slot 3, and calls the address in slot 4. */
const PAIR_CODE =
  "0x6000546001540160025401600101600355600454801560275760006000600060006000855af1505b00";

/** Rows of `[what, ours, peer, ratio, bound]`, in milliseconds. */
export async function benchForks() {
  const remote = await startAnvil([]);
  const proxy = await startProxy(remote.url);
  try {
    const holders = await fill(remote);
    const data = `0x${[TOKEN, ...holders].map(word).join("")}`;
    const work = {
      "a call with 500 balances": (rpc) => rpc("eth_call", [{ to: MULTICALL, data }, "latest"]),
      "a transaction through 3 contracts": swap,
    };
    const times = {};
    for (let round = 0; round < ROUNDS; round++) {
      const results = [];
      for (const [name, start] of Object.entries({ ours: startFork, peer: startAnvilFork })) {
        const fork = await start(proxy.url);
        for (const [what, run] of Object.entries(work)) {
          for (const state of ["cold", "warm"]) {
            const key = `${what}, ${state}`;
            const began = performance.now();
            const result = await run(fork.rpc);
            times[key] ??= { ours: [], peer: [] };
            times[key][name].push(performance.now() - began);
            results.push([key, result]);
          }
        }
        await fork.stop();
      }
      verifySame(results);
    }
    return Object.entries(times).map(([what, { ours, peer }]) => {
      const [own, other] = [median(ours), median(peer)];
      return [what, own, other, own / other, what.endsWith("cold") ? MAX_RATIO : undefined];
    });
  } finally {
    proxy.close();
    await remote.stop();
  }
}

function verifySame(results) {
  const half = results.length / 2;
  for (const [index, [what, result]] of results.slice(0, half).entries()) {
    const [, other] = results[index + half];
    if (result !== other) throw new Error(`${what}: ${result} here, ${other} there`);
  }
}

/** Sends a transaction and returns what it wrote. */
async function swap(rpc) {
  const hash = await rpc("eth_sendTransaction", [{ from: FROM, to: PAIRS[0], gas: "0x7a120" }]);
  for (let receipt = null; receipt === null; ) {
    receipt = await rpc("eth_getTransactionReceipt", [hash]);
  }
  return rpc("eth_getStorageAt", [PAIRS[2], "0x3", "latest"]);
}

async function fill({ rpc }) {
  const set = (address, slot, value) =>
    rpc("anvil_setStorageAt", [address, `0x${word(slot)}`, `0x${word(value)}`]);
  await rpc("anvil_setCode", [MULTICALL, MULTICALL_CODE]);
  await rpc("anvil_setCode", [TOKEN, TOKEN_CODE]);
  for (const [index, pair] of PAIRS.entries()) {
    await rpc("anvil_setCode", [pair, PAIR_CODE]);
    for (const slot of [0, 1, 2]) await set(pair, slot, slot + index + 5);
    await set(pair, 4, PAIRS[index + 1] ?? 0);
  }
  const holders = Array.from(
    { length: HOLDERS },
    (_, index) => `0x${word(index + 1000).slice(24)}`,
  );
  for (const [index, holder] of holders.entries()) {
    const slot = await rpc("web3_sha3", [`0x${word(holder)}${word(0)}`]);
    await set(TOKEN, slot, index + 1);
  }
  await rpc("anvil_mine", ["0x1"]);
  return holders;
}

function word(value) {
  const digits = typeof value === "number" ? value.toString(16) : value.slice(2);
  return digits.padStart(64, "0");
}

async function startFork(url) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-forks-"));
  const port = await freePort();
  const words = ["dev", `--fork-url=${url}`, "--fork-mode=LAZY", "--no-storage-caching"];
  const where = [`--data-path=${folder}`, `--rpc-http-port=${port}`, "--rpc-ws-enabled=false"];
  const node = await start([process.execPath, PROGRAM, ...words, ...where], /main loop is up/);
  const stop = async () => {
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { rpc: callerOf(`http://127.0.0.1:${port}`), stop };
}

const startAnvilFork = (url) => startAnvil(["--fork-url", url, "--no-storage-caching"]);

async function startAnvil(words) {
  const port = await freePort();
  const node = await start([ANVIL, "--port", String(port), ...words], /Listening on/);
  const url = `http://127.0.0.1:${port}`;
  return { url, rpc: callerOf(url), stop: node.stop };
}

async function start([program, ...words], isReady) {
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let text = "";
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    text += piece;
    if (isReady.test(text)) break;
  }
  child.stdout.resume();
  const stop = async () => {
    child.kill("SIGINT");
    await closed;
  };
  return { stop };
}

function callerOf(url) {
  return async (method, params) => {
    const json = await post(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const { result, error } = JSON.parse(json);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

async function post(url, body) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  return response.text();
}

async function startProxy(url) {
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    response.setHeader("content-type", "application/json");
    response.end(await post(url, Buffer.concat(parts).toString()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}
