// `npm run bench privacy`: three nodes with embedded managers, on one machine: how many private
// transactions one of them sends per second, how soon a private receipt is available, and how fast
// a node that has the payloads imports the chain and runs them.
import { execFile, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { groupOfParties, signPrivateTransaction } from "@plinth/plugin-privacy/api";
import { median } from "./measured.mjs";
import { PROGRAM } from "./node-process.mjs";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const SENDERS = 16;
const SAMPLES = 30;
/** Stores its calldata in its slot 0. */
const CREATION = "0x6017600c60003960176000f336600f5760005460005260206000f35b60003560005500";

const run = promisify(execFile);
const plinth = (...words) => run(process.execPath, [PROGRAM, ...words]);

/** Rows of `[what, value, bound]`. */
export async function benchPrivacy() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-privacy-"));
  const network = join(folder, "network");
  process.env.PLINTH_P2P_ENABLED = "true";
  await loadCrypto();
  await plinth(
    "up",
    `--data-path=${network}`,
    "--privacy",
    "--period=1",
    "--base-port=0",
    "--detach",
  );
  try {
    const { nodes, chainId } = JSON.parse(readFileSync(join(network, "network.json"), "utf8"));
    const site = createSite(nodes, chainId);
    await waitForManagers(site);
    const rate = await measureRate(site);
    const delays = await measureReceipts(site);
    const markers = await site.countAll();
    await plinth("up", "stop", `--data-path=${network}`);
    const imports = await measureImport(network, nodes[0], markers);
    console.log(
      `private transactions: ${rate.toFixed(0)}/s; receipt: median ${median(delays).toFixed(0)} ms, slowest ${delays.at(-1).toFixed(0)} ms; import of ${markers} markers: ${imports.toFixed(0)}/s`,
    );
    return [
      ["60 private transactions/s from one node, as a multiple of what it takes", 60 / rate, 1],
      ["ms from a marker's block to the private receipt, median", median(delays), 300],
      ["500 markers/s imported and run, as a multiple of what a node takes", 500 / imports, 1],
    ];
  } finally {
    await plinth("up", "stop", `--data-path=${network}`).catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Accounts that send from the first node to the second. */
function createSite([first, second], chainId) {
  const [from, to] = [first, second].map(({ manager }) => Buffer.from(manager.publicKey, "base64"));
  const group = Buffer.from(groupOfParties([from, to])).toString("base64");
  const keys = Array.from({ length: SENDERS }, (_, index) => `${index + 1}`.padStart(64, "5"));
  const nonces = new Array(SENDERS).fill(0);
  const ask = async (method, params) => {
    const response = await fetch(`http://127.0.0.1:${first.rpcPort}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = await response.json();
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return {
    ask,
    group,
    nonces,
    /** Sends the next transaction of a sender; returns its marker. */
    async send(index) {
      const raw = signPrivateTransaction(
        {
          nonce: BigInt(nonces[index]),
          gasPrice: 0n,
          gasLimit: 1_000_000n,
          value: 0n,
          data: hexToBytes(CREATION),
          chainId: BigInt(chainId),
          privateFrom: from,
          privateFor: [to],
          restriction: "restricted",
        },
        hexToBytes(keys[index]),
      );
      const marker = await ask("eea_sendRawTransaction", [toHex(raw)]);
      nonces[index] += 1;
      return marker;
    },
    countAll: async () => nonces.reduce((sum, nonce) => sum + nonce, 0),
  };
}

async function waitForManagers(site) {
  for (;;) {
    try {
      await site.send(0);
      return;
    } catch {
      // The managers have not met yet.
      await sleep(500);
    }
  }
}

/** How many are sent, mined and run per second. */
async function measureRate(site) {
  const sentBefore = await site.countAll();
  const start = performance.now();
  const end = start + SECONDS * 1000;
  let last;
  await Promise.all(
    site.nonces.map(async (_, index) => {
      while (performance.now() < end) last = await site.send(index);
    }),
  );
  await receiptOf(site, last);
  const { head } = await site.ask("plinth_privacyStatus", []);
  await site.ask("priv_getLogs", [site.group, { fromBlock: head, toBlock: head }]);
  const seconds = (performance.now() - start) / 1000;
  return ((await site.countAll()) - sentBefore) / seconds;
}

/** Milliseconds from the public to the private receipt, in ascending order. */
async function measureReceipts(site) {
  const delays = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const marker = await site.send(sample % SENDERS);
    while ((await site.ask("eth_getTransactionReceipt", [marker])) === null) await sleep(5);
    const start = performance.now();
    await receiptOf(site, marker);
    delays.push(performance.now() - start);
  }
  return delays.sort((a, b) => a - b);
}

async function receiptOf(site, marker) {
  for (;;) {
    const receipt = await site.ask("priv_getTransactionReceipt", [marker]).catch(() => null);
    if (receipt !== null) return receipt;
    await sleep(20);
  }
}

/**
 * Markers per second of a node that has the payloads and imports the chain: blocks first, then
 * private transactions.
 */
async function measureImport(network, node, markers) {
  const home = join(network, node.name);
  const config = `--config-file=${join(home, "plinth.toml")}`;
  const blocks = join(network, "chain.rlp");
  await plinth(config, "blocks", "export", `--to=${blocks}`);
  const fresh = join(network, "fresh");
  cpSync(join(home, "data", "enclave"), join(fresh, "enclave"), { recursive: true });
  const place = [config, `--data-path=${fresh}`];
  const start = performance.now();
  await plinth(...place, "blocks", "import", `--from=${blocks}`);
  const imported = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...place, "--p2p-enabled=false"], {
    stdio: "ignore",
  });
  try {
    const site = createSite([node, node], 1);
    for (;;) {
      const status = await site.ask("plinth_privacyStatus", []).catch(() => undefined);
      const isDone = status !== undefined && status.delivered === status.head;
      if (isDone && status.groups.length === 0) break;
      await sleep(50);
    }
    const done = performance.now();
    console.log(
      `blocks: ${((imported - start) / 1000).toFixed(1)} s, what is private with the start of the node: ${((done - imported) / 1000).toFixed(1)} s`,
    );
    return (markers * 1000) / (done - start);
  } finally {
    child.kill();
  }
}
