// `npm run bench qbft`: four validators on one machine: the regularity of their blocks with 200
// transactions per second, their throughput with a full pool, their cost when idle, and their
// behavior under attack.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { median, processorSeconds, residentMib } from "./measured.mjs";
import { pause } from "./node-process.mjs";
import { measureGaps, startValidators } from "./validators.mjs";

/** Of networks that name no other. */
const PERIOD_MS = 1000;
const SENDERS = 40;
const RATE = 200;
const BLOCKS = 100;
const FULL_POOL = 4000;
/** Number of concurrent requests; the node accepts 80 connections. */
const AT_ONCE = 40;
/** Until code is compiled. */
const WARM_UP_BLOCKS = 20;
const IDLE_SECONDS = 20;
const BLOCKS_UNDER_ATTACK = 30;
/** The node takes 80 connections. */
const LOOPS = 70;
const TRACES = 4;
const LOOPING = "0x00000000000000000000000000000000000000aa";
const LOOP_CALL = { to: LOOPING, gas: "0x2faf080" };
const LOOP_OVERRIDES = { [LOOPING]: { code: "0x5b600056" } };
const LOOP = [LOOP_CALL, "latest", LOOP_OVERRIDES];
const LOOP_TRACED = [LOOP_CALL, "latest", { stateOverrides: LOOP_OVERRIDES }];

/** Rows of `[what, value, bound]`. */
export async function benchQbft() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-qbft-"));
  const crypto = await loadCrypto();
  const alloc = {};
  for (let sender = 0; sender < SENDERS; sender++) {
    const address = crypto.addressOf(crypto.publicKeyOf(hexToBytes(keyOf(sender))));
    alloc[address] = { balance: "0xffffffffffffffff" };
  }
  const nodes = await startValidators(folder, { alloc });
  try {
    await untilHeight(nodes[0], WARM_UP_BLOCKS);
    const idle = await measureIdle(nodes);
    const nonces = new Array(SENDERS).fill(0n);
    const times = await measureBlockTimes(nodes, nonces);
    const rate = await measureFullPool(nodes, nonces);
    const memory = Math.max(...nodes.map(({ pid }) => residentMib(pid)));
    const attacked = await measureUnderAttack(nodes);
    const p99 = times[Math.floor(times.length * 0.99)];
    console.log(
      `block time: median ${median(times)} ms, slowest ${times.at(-1)} ms; full pool: ${Math.round(rate)} transfers/s; idle: ${(idle * 100).toFixed(1)} % of a core; memory ${memory} MiB; under attack: slowest block ${attacked} ms`,
    );
    return [
      [
        "block time by the period, 200 transactions a second, median",
        median(times) / PERIOD_MS,
        1.1,
      ],
      ["block time by the period, 200 transactions a second, 99 of 100", p99 / PERIOD_MS, 1.4],
      ["block time by the period, one validator attacked, slowest", attacked / PERIOD_MS, 1.5],
      ["375 transfers/s, as a multiple of what four validators take", 375 / rate, 1],
      ["share of a core that an idle validator takes", idle, 0.03],
      ["MiB of the largest validator", memory, 200],
    ];
  } finally {
    for (const node of nodes) await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The share of a core that a validator uses while there are only empty blocks. */
async function measureIdle(nodes) {
  const before = nodes.map(({ pid }) => processorSeconds(pid));
  await pause(IDLE_SECONDS * 1000);
  const used = nodes.map(({ pid }, index) => processorSeconds(pid) - before[index]);
  return Math.max(...used) / IDLE_SECONDS;
}

/** Milliseconds between blocks as one node sees them with 200 transactions per second, in ascending order. */
async function measureBlockTimes(nodes, nonces) {
  let isOver = false;
  const load = (async () => {
    const began = performance.now();
    for (let sent = 0; !isOver; ) {
      const due = ((performance.now() - began) / 1000) * RATE;
      for (; sent < due; sent += 10) await send(nodes[0], nonces, 10);
      await pause(10);
    }
  })();
  const times = await measureGaps(nodes[3], BLOCKS);
  isOver = true;
  await load;
  return times;
}

/** The same while attackers keep one validator busy with calls that never end, and with traces. */
async function measureUnderAttack(nodes) {
  const [victim] = nodes;
  const isOver = new AbortController();
  const repeat = async (method, params) => {
    while (!isOver.signal.aborted) await victim.rpc(method, params).catch(() => {});
  };
  // Not awaited: requests in the queue of the node end with it.
  for (let loop = 0; loop < LOOPS; loop++) void repeat("eth_call", LOOP);
  for (let trace = 0; trace < TRACES; trace++) void repeat("debug_traceCall", LOOP_TRACED);
  const times = await measureGaps(nodes[3], BLOCKS_UNDER_ATTACK);
  isOver.abort();
  return times.at(-1);
}

/** Transfers per second until a full pool is empty. */
async function measureFullPool(nodes, nonces) {
  for (let sent = 0; sent < FULL_POOL; sent += 200) await send(nodes[0], nonces, 200);
  const waiting = async () => (await nodes[0].rpc("txpool_besuTransactions", [])).length;
  const before = await waiting();
  const began = performance.now();
  while ((await waiting()) > 0) await pause(100);
  return before / ((performance.now() - began) / 1000);
}

async function send(node, nonces, count) {
  const raws = Array.from({ length: count }, () => {
    const sender = nonces.indexOf(nonces.reduce((a, b) => (a < b ? a : b)));
    const nonce = nonces[sender]++;
    const to = `0x${"ab".repeat(20)}`;
    const rest = { chainId: 1337n, value: 1n, gasPrice: 0n, data: new Uint8Array() };
    return toHex(
      signTransaction({ ...rest, nonce, to, gasLimit: 21_000n }, hexToBytes(keyOf(sender))),
    );
  });
  for (let from = 0; from < raws.length; from += AT_ONCE) {
    const some = raws.slice(from, from + AT_ONCE);
    await Promise.all(some.map((raw) => node.rpc("eth_sendRawTransaction", [raw])));
  }
}

async function untilHeight(node, height) {
  while ((await heightOf(node)) < height) await pause(50);
}

async function heightOf(node) {
  return Number(await node.rpc("eth_blockNumber", []));
}

function keyOf(sender) {
  return `0x${(sender + 1000).toString(16).padStart(64, "0")}`;
}
