// `npm run long -- soak [BLOCKS]`: a development chain produces blocks with five transfers each,
// 20,000 by default; its memory must stay flat after the first tenth, and its size on disk is
// printed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadCrypto, parseHex, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";

process.env.PLINTH_P2P_ENABLED = "false";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const BLOCKS = Number(process.argv[2] ?? 20_000);
const PER_BLOCK = 5;
const WARM_UP = BLOCKS / 10;
const SAMPLES = 20;
const MAX_GROWTH_MIB = 60;

await loadCrypto();
const folder = mkdtempSync(join(tmpdir(), "plinth-soak-"));
const node = spawn(
  process.execPath,
  [
    here("../../cli/bin/plinth.js"),
    "--profile=dev",
    `--data-path=${folder}`,
    "--rpc-http-port=0",
    "--rpc-ws-port=0",
    "--logging=WARN",
  ],
  { stdio: "inherit" },
);
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  const closed = once(node, "close");
  node.kill();
  await closed;
  rmSync(folder, { recursive: true, force: true });
}

async function soak() {
  const url = `http://127.0.0.1:${await findPort()}`;
  await call(url, [{ method: "evm_setAutomine", params: [false] }]);
  const sign = createSigner();
  const begun = performance.now();
  const sizes = [];
  for (let block = 1; block <= BLOCKS; block++) {
    const sends = Array.from({ length: PER_BLOCK }, () => {
      return { method: "eth_sendRawTransaction", params: [sign()] };
    });
    await call(url, [...sends, { method: "evm_mine", params: [] }]);
    if (block === WARM_UP || (block > WARM_UP && block % (BLOCKS / SAMPLES) === 0)) {
      sizes.push(residentMiB());
      const rate = Math.round((block / (performance.now() - begun)) * 1000);
      console.log(`block ${block}: ${sizes.at(-1)} MiB, ${rate} blocks/s`);
    }
  }
  const [first] = sizes;
  const growth = Math.max(...sizes) - first;
  const perTransaction = Math.round(sizeOf(join(folder, "database")) / (BLOCKS * PER_BLOCK));
  const bound = `at most ${MAX_GROWTH_MIB} MiB`;
  console.log(`memory grew by ${growth} MiB after block ${WARM_UP} (${bound})`);
  console.log(`${perTransaction} bytes on disk per transaction`);
  return growth <= MAX_GROWTH_MIB;
}

/** Transfers of the first account of the profile, one nonce after another. */
function createSigner() {
  const { alloc } = JSON.parse(readFileSync(here("../../cli/profiles/dev-genesis.json"), "utf8"));
  const [{ privateKey }] = Object.values(alloc);
  const key = parseHex(privateKey);
  let nonce = 0n;
  return () => {
    const to = `0x${(nonce % 1000n).toString(16).padStart(40, "f")}`;
    const transfer = { chainId: 1337n, nonce: nonce++, gasLimit: 21_000n, to, value: 1n };
    const fees = { gasPrice: 1_000_000_000n, data: new Uint8Array() };
    return toHex(signTransaction({ ...transfer, ...fees }, key));
  };
}

async function call(url, requests) {
  const body = requests.map((request, id) => ({ jsonrpc: "2.0", id, ...request }));
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  const failed = (await response.json()).find(({ error }) => error !== undefined);
  if (failed !== undefined) throw new Error(JSON.stringify(failed.error));
}

async function findPort() {
  for (;;) {
    try {
      const ports = readFileSync(join(folder, "plinth.ports"), "utf8");
      return /json-rpc=(\d+)/.exec(ports)[1];
    } catch {
      // The node writes the file when it listens.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** From `/proc`: any other way needs another program. */
function residentMiB() {
  const status = readFileSync(`/proc/${node.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) / 1024);
}

function sizeOf(path) {
  const { size } = statSync(path);
  if (!statSync(path).isDirectory()) return size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
