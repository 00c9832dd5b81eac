// `npm run bench join`: a node that joins a QBFT chain by snapshot compared with one that executes all of its blocks, for
// chains of two sizes, in one run. BENCH_CHAINS has others: blocks, transactions per block, accounts and slots of each.
// BENCH_CHAIN_FOLDER keeps the chains and their snapshots there, and uses those that are there; a chain that was not
// completed is continued.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mostResidentMib, processorSeconds } from "./measured.mjs";
import { PROGRAM, pause, startNode } from "./node-process.mjs";
import { makeSealedChain } from "./sealed-chain.mjs";

const CHAINS = (process.env.BENCH_CHAINS ?? "2000,5,1000,5000;8000,5,4000,20000").split(";");
const KEPT = process.env.BENCH_CHAIN_FOLDER;
const MIN_FASTER = 20;
const MAX_MIB = 400;
/** How many times as long an account or a slot of the last chain may take as one of the first. */
const MAX_GROWTH = 1.2;

/** Rows of `[what, ours, peer, ratio, bound]`, in milliseconds, and of `[what, value, bound]`. */
export async function benchJoin() {
  const faster = [];
  const limits = [];
  const times = [];
  for (const sizes of CHAINS) {
    const [blocks, perBlock, accounts, slots] = sizes.split(",").map(Number);
    const what = `${blocks.toLocaleString("en")} blocks, ${(blocks * perBlock).toLocaleString("en")} transactions, ${accounts.toLocaleString("en")} accounts, ${slots.toLocaleString("en")} slots`;
    const folder = mkdtempSync(join(tmpdir(), "plinth-bench-join-"));
    try {
      const chain = await openChain(folder, { blocks, perBlock, accounts, slots });
      const { joined, full } = await measure(folder, chain, blocks);
      times.push({ items: accounts + slots, ms: joined.ms });
      faster.push([
        `joining by snapshot: ${what}`,
        joined.ms,
        full.ms,
        full.ms / joined.ms,
        MIN_FASTER,
      ]);
      limits.push([`memory of joining by snapshot, MiB: ${what}`, joined.mib, MAX_MIB]);
      console.log(
        `executing every block: ${full.mib} MiB, ${full.seconds.toFixed(1)} s of processor time; joining: ${joined.seconds.toFixed(1)} s`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const [small, large] = [times[0], times.at(-1)];
  if (small.items < large.items) {
    const growth = large.ms / large.items / (small.ms / small.items);
    limits.push(["time per account and slot, of the last chain by the first", growth, MAX_GROWTH]);
  }
  return { faster, limits };
}

/** A chain that is made here, or one that was kept. */
async function openChain(folder, size) {
  const place = KEPT === undefined ? folder : join(KEPT, Object.values(size).join("-"));
  const note = join(place, "chain.json");
  if (existsSync(note)) return JSON.parse(readFileSync(note, "utf8"));
  mkdirSync(place, { recursive: true });
  const made = await makeSealedChain(place, size);
  const chain = { ...made, snapshot: createSnapshot(join(place, "snapshot"), made) };
  writeFileSync(note, JSON.stringify(chain));
  return chain;
}

function createSnapshot(snapshot, { genesisFile, dataPath }) {
  const begun = performance.now();
  const options = [`--genesis-file=${genesisFile}`, `--data-path=${dataPath}`];
  const made = spawnSync(process.execPath, [PROGRAM, ...options, "snapshot", "create", snapshot], {
    encoding: "utf8",
    env: { ...process.env, PLINTH_P2P_ENABLED: "false" },
  });
  if (made.status !== 0) throw new Error(made.stderr);
  console.log(`snapshot created in ${Math.round(performance.now() - begun)} ms`);
  return snapshot;
}

async function measure(folder, { genesisFile, dataPath, snapshot }, blocks) {
  const source = await startNode([`--genesis-file=${genesisFile}`, `--data-path=${dataPath}`]);
  const enode = await source.rpc("net_enode", []);
  try {
    const joined = await timeTo(blocks, enode, [
      `--genesis-file=${genesisFile}`,
      `--data-path=${join(folder, "joined")}`,
      `--snapshot=${snapshot}`,
    ]);
    const full = await timeTo(blocks, enode, [
      `--genesis-file=${genesisFile}`,
      `--data-path=${join(folder, "full")}`,
    ]);
    if (joined.hash !== full.hash) throw new Error("heads differ");
    return { joined, full };
  } finally {
    await source.stop();
  }
}

/** Starts a node; how long it takes to reach a block, and its largest memory until then. */
async function timeTo(block, enode, options) {
  const begun = performance.now();
  const node = await startNode(options);
  try {
    await node.rpc("admin_addPeer", [enode]);
    for (;;) {
      const number = Number(await node.rpc("eth_blockNumber", []));
      if (number >= block) break;
      await pause(50);
    }
    const ms = performance.now() - begun;
    const seconds = processorSeconds(node.pid);
    const { hash } = await node.rpc("eth_getBlockByNumber", ["latest", false]);
    return { ms, mib: mostResidentMib(node.pid), seconds, hash };
  } finally {
    await node.stop();
  }
}
