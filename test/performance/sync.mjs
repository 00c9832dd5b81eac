// `npm run bench sync`: a chain that a node synchronizes from another compared with `blocks import`
// of the same file, in one run, and how long a transaction takes from one node to the pools of
// three others.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeBlock, loadCrypto, parseHex, toHex } from "@plinth/core";
import { decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import { median, residentMib } from "./measured.mjs";
import { PROGRAM, pause, startNode } from "./node-process.mjs";

const BLOCKS = Number(process.env.BENCH_SYNC_BLOCKS ?? 10_000);
const PER_BLOCK = 20;
const TRANSACTIONS = 20;
const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const GENESIS = {
  config: { chainId: 1337, shanghaiTime: 0, dev: {} },
  gasLimit: "0x5f5e100",
  baseFeePerGas: "0x7",
  alloc: { "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73": { balance: String(10n ** 24n) } },
};

/** Rows of `[what, value, bound]`. */
export async function benchSync() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-sync-"));
  try {
    return [...(await measureSync(folder)), ...(await measureGossip(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureSync(folder) {
  const genesis = join(folder, "genesis.json");
  const file = join(folder, "chain.rlp");
  writeFileSync(genesis, JSON.stringify(GENESIS));
  writeFileSync(file, Buffer.concat(await makeBlocks()));
  const words = (name) => [`--genesis-file=${genesis}`, `--data-path=${join(folder, name)}`];
  const began = performance.now();
  const env = { ...process.env, PLINTH_P2P_ENABLED: "false" };
  const imported = spawnSync(
    process.execPath,
    [PROGRAM, ...words("full"), "blocks", "import", file],
    { env },
  );
  if (imported.status !== 0) throw new Error(String(imported.stderr));
  const importSeconds = (performance.now() - began) / 1000;
  const full = await startNode(words("full"));
  const empty = await startNode(words("empty"));
  const connected = performance.now();
  await empty.rpc("admin_addPeer", [await full.rpc("net_enode", [])]);
  const memory = [];
  for (;;) {
    const number = Number(await empty.rpc("eth_blockNumber", []));
    if (number > BLOCKS / 4) memory.push(residentMib(empty.pid));
    if (number >= BLOCKS) break;
    await pause(100);
  }
  const syncSeconds = (performance.now() - connected) / 1000;
  const heads = await Promise.all(
    [full, empty].map((node) => node.rpc("eth_getBlockByNumber", ["latest", false])),
  );
  if (heads[0].hash !== heads[1].hash) throw new Error("heads differ");
  await full.stop();
  await empty.stop();
  const half = Math.floor(memory.length / 2);
  const [early, late] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))];
  console.log(
    `sync: ${Math.round(BLOCKS / syncSeconds)} blocks/s, import: ${Math.round(BLOCKS / importSeconds)} blocks/s; memory up to ${early} MiB, then ${late} MiB`,
  );
  return [
    ["time of a synchronization, as a multiple of an import", syncSeconds / importSeconds, 1 / 0.7],
    ["memory of the second half of a synchronization, as a share of the first", late / early, 1.15],
  ];
}

/** Milliseconds until a transaction submitted to one node is in the pools of all four. */
async function measureGossip(folder) {
  const start = (index) =>
    startNode(["--network=dev", `--data-path=${join(folder, `gossip-${index}`)}`]);
  const nodes = [await start(0), await start(1), await start(2), await start(3)];
  const enodes = await Promise.all(nodes.map((node) => node.rpc("net_enode", [])));
  for (const [index, node] of nodes.entries()) {
    for (const enode of enodes.slice(0, index)) await node.rpc("admin_addPeer", [enode]);
  }
  const isMeshed = async () => {
    const counts = await Promise.all(nodes.map((node) => node.rpc("net_peerCount", [])));
    return counts.every((count) => Number(count) === 3);
  };
  while (!(await isMeshed())) await pause(50);
  const times = [];
  for (let nonce = 0; nonce < TRANSACTIONS; nonce++) {
    const raw = toHex(transfer(BigInt(nonce)).raw);
    const began = performance.now();
    const hash = await nodes[0].rpc("eth_sendRawTransaction", [raw]);
    await Promise.all(nodes.map((node) => untilKnown(node, hash)));
    times.push(performance.now() - began);
  }
  for (const node of nodes) await node.stop();
  console.log(
    `gossip: median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms`,
  );
  return [["ms until a transaction is in four pools, slowest of 20", Math.max(...times), 100]];
}

async function untilKnown(node, hash) {
  while ((await node.rpc("eth_getTransactionByHash", [hash])) === null) await pause(2);
}

async function makeBlocks() {
  await loadCrypto();
  const node = await createNode({
    plugins: [evmPlinth, consensusDev],
    options: { keyValueStorage: "memory" },
    genesis: GENESIS,
  });
  await node.open();
  const made = [];
  for (let number = 0; number < BLOCKS; number++) {
    const first = number * PER_BLOCK;
    const candidates = Array.from({ length: PER_BLOCK }, (_, index) =>
      transfer(BigInt(first + index)),
    );
    const built = await node.blocks.build({ timestamp: BigInt(number + 1), candidates });
    await node.blocks.submit(built);
    made.push(encodeBlock(built.block));
  }
  await node.stop();
  return made;
}

function transfer(nonce) {
  const to = `0x${(nonce % 5000n).toString(16).padStart(40, "f")}`;
  const rest = { chainId: 1337n, value: 1n, gasPrice: 1_000_000_000n, data: new Uint8Array() };
  return decodeTransaction(signTransaction({ ...rest, nonce, to, gasLimit: 21_000n }, KEY));
}
