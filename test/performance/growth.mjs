// `npm run bench growth`: what a unit of work costs with few and with many of the things around it. It takes minutes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isUp, median, processorSeconds } from "./measured.mjs";
import { freePort, PROGRAM } from "./node-process.mjs";

const PENDING = [10, 10_000];
const LOGS = [100, 100_000];
/** Of every search. */
const FOUND = 100;
const ACCOUNTS = 100;
const SENT = 400;
const SEARCHES = 400;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Above what full blocks raise the base fee to. */
const PRICE = "0x174876e800";
const SINK = "0x00000000000000000000000000000000000000ee";
/** Emits a log with topic 1 after so many with topic 2 as its input is. */
const LOGGER =
  "0x601e600c600039601e6000f36000355b8015601657600260205fa1600190036003565b600160205fa100";
const BATCH = 200;
const MOST_BLOCKS = 100;

/** Rows of `[what, value, peer, bound]`. */
export async function benchGrowth() {
  return [...(await growthOfPool()), ...(await growthOfLogs())];
}

async function growthOfPool() {
  const sent = [];
  const mined = [];
  for (const pending of PENDING) {
    const [toSend, toMine] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const node = await startDevNode(["--no-mining"]);
      const send = await sender(node);
      await send(pending);
      const before = processorSeconds(node.pid);
      await send(SENT);
      const between = processorSeconds(node.pid);
      const blocks = await mineAll(node);
      const after = processorSeconds(node.pid);
      toSend.push(((between - before) * 1e6) / SENT);
      // A block has a fixed cost, which few transactions would share.
      if (blocks > 0) toMine.push(((after - between) * 1e6) / (pending + SENT));
      await node.stop();
      console.log(
        `${pending} pending: ${toSend.at(-1).toFixed(0)} µs to send, ${toMine.at(-1)?.toFixed(0)} µs to mine`,
      );
    }
    sent.push(median(toSend));
    mined.push(median(toMine));
  }
  const [few, many] = PENDING.map((count) => count.toLocaleString("en"));
  return [
    [`µs of a transaction sent, with ${many} pending against ${few}`, sent[1], sent[0], 1.5],
    [`µs of a transaction mined, with ${many} pending against ${few}`, mined[1], mined[0], 1.5],
  ];
}

export async function growthOfLogs() {
  const found = [];
  for (const logs of LOGS) {
    const node = await startDevNode([]);
    const [from] = await node.rpc("eth_accounts", []);
    const created = await node.rpc("eth_sendTransaction", [
      { from, data: LOGGER, gas: "0x100000" },
    ]);
    const { contractAddress } = await node.rpc("eth_getTransactionReceipt", [created]);
    const emit = (count) =>
      node.rpc("eth_sendTransaction", [
        {
          from,
          to: contractAddress,
          gas: "0x1000000",
          data: `0x${count.toString(16).padStart(64, "0")}`,
        },
      ]);
    const begun = performance.now();
    for (let block = 0; block < FOUND; block++) await emit(Math.round(logs / FOUND) - 1);
    const seconds = (performance.now() - begun) / 1000;
    console.log(`${logs} logs emitted in ${seconds.toFixed(1)} s`);
    const topic = `0x${"1".padStart(64, "0")}`;
    const filter = {
      fromBlock: "0x0",
      toBlock: "latest",
      address: contractAddress,
      topics: [topic],
    };
    const rounds = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const before = processorSeconds(node.pid);
      for (let search = 0; search < SEARCHES; search++) {
        const result = await node.rpc("eth_getLogs", [filter]);
        if (result.length !== FOUND) throw new Error(`${result.length} logs instead of ${FOUND}`);
      }
      // The first round is for the compiler.
      if (round === 0) continue;
      rounds.push(((processorSeconds(node.pid) - before) * 1e6) / SEARCHES);
      console.log(`${logs} logs: ${rounds.at(-1).toFixed(0)} µs to find ${FOUND}`);
    }
    found.push(median(rounds));
    await node.stop();
  }
  const [few, many] = LOGS.map((count) => count.toLocaleString("en"));
  return [[`µs of a search with ${FOUND} logs, of ${many} against ${few}`, found[1], found[0], 3]];
}

/** A development chain as a separate process. */
async function startDevNode(words) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-growth-"));
  const port = await freePort();
  const options = [`--data-path=${folder}`, `--rpc-http-port=${port}`, "--rpc-ws-port=0"];
  const child = spawn(
    process.execPath,
    [PROGRAM, "dev", `--accounts=${ACCOUNTS}`, ...options, ...words],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  // A measurement that fails leaves no node behind.
  process.once("exit", () => child.kill());
  await isUp(child);
  child.stdout.resume();
  const post = async (body) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const read = ({ result, error }) => {
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const request = (method, params, id = 1) => ({ jsonrpc: "2.0", id, method, params });
  return {
    pid: child.pid,
    rpc: async (method, params) => read(await post(request(method, params))),
    batch: async (calls) =>
      (await post(calls.map(([method, params], id) => request(method, params, id)))).map(read),
    async stop() {
      const closed = once(child.removeAllListeners("close"), "close");
      child.kill();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends transfers of all accounts in turn. */
async function sender(node) {
  const accounts = await node.rpc("eth_accounts", []);
  let next = 0;
  return async (count) => {
    for (let sent = 0; sent < count; ) {
      const size = Math.min(BATCH, count - sent);
      const calls = Array.from({ length: size }, () => {
        const from = accounts[next % accounts.length];
        const nonce = `0x${Math.floor(next / accounts.length).toString(16)}`;
        next += 1;
        return [
          "eth_sendTransaction",
          [{ from, to: SINK, value: "0x1", gas: "0x5208", gasPrice: PRICE, nonce }],
        ];
      });
      await node.batch(calls);
      sent += size;
    }
  };
}

/** Mines blocks until no transaction waits; returns their number. */
async function mineAll(node) {
  for (let blocks = 0; ; blocks++) {
    const { pending } = await node.rpc("txpool_status", []);
    if (Number(pending) === 0) return blocks;
    if (blocks === MOST_BLOCKS) throw new Error(`${Number(pending)} transactions are not mined`);
    await node.rpc("evm_mine", []);
  }
}
