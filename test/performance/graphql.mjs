// `npm run bench graphql`: a block with 1,000 transactions, with sender, receiver and logs of each,
// requested in one query and one by one; and the memory of many such queries at once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadCrypto, parseHex, toHex } from "@plinth/core";
import { contractAddress, signTransaction } from "@plinth/core/blocks";
import { isUp, median, residentMib } from "./measured.mjs";

const PROGRAM = fileURLToPath(new URL("../../cli/bin/plinth.js", import.meta.url));
/** The first account of the profile `dev`. */
const SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const KEY = parseHex("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
/** Deploys code that logs one topic: the first word of its input. */
const LOGGER = "6760003560006000a160005260086018f3";
const TRANSACTIONS = 1000;
const ROUNDS = 5;
/** More connections than a browser or a library would open. */
const AT_ONCE = 16;
const LARGE_AT_ONCE = 50;
const MAX_GROWTH_MIB = 300;

const FIELDS = "hash from{address} to{address} logs{index topics data account{address}}";
const WHOLE = `query($n:Long){block(number:$n){transactions{${FIELDS}}}}`;
const SINGLE = `query($h:Bytes32!){transaction(hash:$h){${FIELDS}}}`;

/** Returns the times of both ways and the required memory. */
export async function benchGraphql() {
  await loadCrypto();
  const folder = mkdtempSync(join(tmpdir(), "plinth-graphql-"));
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      "--profile=dev",
      `--data-path=${folder}`,
      "--rpc-http-port=0",
      "--rpc-ws-port=0",
      "--graphql-http-enabled",
      "--graphql-http-port=0",
      `--tx-pool-max-future-by-sender=${2 * TRANSACTIONS}`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  try {
    await isUp(child);
    const ports = readFileSync(join(folder, "plinth.ports"), "utf8");
    const rpcPort = Number(/json-rpc=(\d+)/.exec(ports)[1]);
    const port = Number(/graphql-http=(\d+)/.exec(ports)[1]);
    const number = await makeBlock(rpcPort);
    const ask = (query, variables) => post(port, { path: "/graphql", agent }, { query, variables });
    const whole = () => ask(WHOLE, { n: number });
    const { data } = JSON.parse(await whole());
    const hashes = data.block.transactions.map(({ hash }) => hash);
    if (hashes.length !== TRANSACTIONS)
      throw new Error(`${hashes.length} transactions in the block`);
    if (data.block.transactions.some(({ logs }) => logs.length !== 1)) throw new Error("no logs");
    const single = () => inTurns(hashes, (h) => ask(SINGLE, { h }));

    const times = { whole: [], single: [] };
    for (let round = 0; round < ROUNDS; round++) {
      times.single.push(await time(single));
      times.whole.push(await time(whole));
    }
    const before = residentMib(child.pid);
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, residentMib(child.pid));
    }, 20);
    await Promise.all(Array.from({ length: LARGE_AT_ONCE }, whole));
    clearInterval(timer);
    return {
      wholeMs: median(times.whole),
      singleMs: median(times.single),
      memory: [
        `MiB more for ${LARGE_AT_ONCE} such queries at once`,
        Math.round(Math.max(most, residentMib(child.pid)) - before),
        MAX_GROWTH_MIB,
      ],
    };
  } finally {
    agent.destroy();
    const closed = once(child, "close");
    child.kill();
    await closed;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Produces a block with this many transactions that log; returns its number. */
async function makeBlock(port) {
  const call = async (method, params = []) => {
    const { result, error } = JSON.parse(
      await post(port, { path: "/" }, { jsonrpc: "2.0", id: 1, method, params }),
    );
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const fields = { chainId: 1337n, gasPrice: 2_000_000_000n, value: 0n };
  const sign = (transaction) => toHex(signTransaction({ ...fields, ...transaction }, KEY));
  const code = parseHex(LOGGER);
  await call("eth_sendRawTransaction", [sign({ nonce: 0n, gasLimit: 200_000n, data: code })]);
  const to = contractAddress({ sender: SENDER, nonce: 0n });
  await call("evm_setAutomine", [false]);
  for (let nonce = 1n; nonce <= BigInt(TRANSACTIONS); nonce++) {
    const data = parseHex(nonce.toString(16).padStart(64, "0"));
    await call("eth_sendRawTransaction", [sign({ nonce, gasLimit: 26_000n, to, data })]);
  }
  await call("evm_mine");
  return Number(await call("eth_blockNumber"));
}

async function inTurns(items, run) {
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting) await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function time(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function post(port, settings, body) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const sent = request({ host: "127.0.0.1", port, method: "POST", headers, ...settings });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString()));
    });
    sent.end(JSON.stringify(body));
  });
}
