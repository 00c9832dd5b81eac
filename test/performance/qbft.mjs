// `npm run bench qbft`: four validators on one machine: the regularity of their blocks with 200
// transactions per second, their throughput with a full pool, their cost when idle, and their
// behavior under attack.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { ratesOfPeer } from "./compare.mjs";
import { median, processorSeconds, residentMib } from "./measured.mjs";
import { pause } from "./node-process.mjs";
import { slotOf, wordOf } from "./token.mjs";
import { measureGaps, startValidators } from "./validators.mjs";

/** Of networks that name no other. */
const PERIOD_MS = 1000;
const SENDERS = 40;
const RATE = 200;
const BLOCKS = 100;
/** Transactions of each sender in a full pool: fewer than the nonces that a pool takes in advance. */
const FULL_POOL_NONCES = 150;
const FILLED_WITHIN_MS = 120_000;
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

const TOKEN = "0x00000000000000000000000000000000000000cc";
const { code: TOKEN_CODE, selectors } = JSON.parse(
  readFileSync(fileURLToPath(new URL("evm/token.json", import.meta.url)), "utf8"),
);
const TRANSFER = { to: `0x${"ab".repeat(20)}`, gasLimit: 21_000n, value: 1n, data: "0x" };
const TOKEN_TRANSFER = {
  to: TOKEN,
  gasLimit: 100_000n,
  value: 0n,
  data: `0x${selectors["transfer(address,uint256)"]}${wordOf(TRANSFER.to)}${"1".padStart(64, "0")}`,
};
const HALF_RATE_BLOCKS = 60;

/** Rows of `[what, value, bound]`. */
export async function benchQbft() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-qbft-"));
  const crypto = await loadCrypto();
  const storage = {};
  const alloc = {
    [TOKEN]: { balance: "0x0", code: `0x${TOKEN_CODE.replace(/^0x/, "")}`, storage },
  };
  for (let sender = 0; sender < SENDERS; sender++) {
    const address = crypto.addressOf(crypto.publicKeyOf(hexToBytes(keyOf(sender))));
    alloc[address] = { balance: "0xffffffffffffffff" };
    storage[slotOf(address)] = `0x${"1".padEnd(13, "0").padStart(64, "0")}`;
  }
  const nodes = await startValidators(folder, { alloc });
  try {
    await untilHeight(nodes[0], WARM_UP_BLOCKS);
    const idle = await measureIdle(nodes);
    const nonces = new Array(SENDERS).fill(0n);
    const times = await measureBlockTimes(nodes, nonces, { rate: RATE, blocks: BLOCKS });
    const rate = await measureFullPool(nodes, nonces, TRANSFER);
    const tokenRate = await measureFullPool(nodes, nonces, TOKEN_TRANSFER);
    const half = { rate: rate / 2, blocks: HALF_RATE_BLOCKS };
    const timesAtHalf = await measureBlockTimes(nodes, nonces, half);
    const memory = Math.max(...nodes.map(({ pid }) => residentMib(pid)));
    const attacked = await measureUnderAttack(nodes);
    const p99 = (gaps) => gaps[Math.floor(gaps.length * 0.99)];
    console.log(
      `block time: median ${median(times)} ms, slowest ${times.at(-1)} ms; full pool: ${Math.round(rate)} transfers/s, ${Math.round(tokenRate)} of a token; idle: ${(idle * 100).toFixed(1)} % of a core; memory ${memory} MiB; under attack: slowest block ${attacked} ms`,
    );
    return [
      [
        "block time by the period, 200 transactions a second, median",
        median(times) / PERIOD_MS,
        1.1,
      ],
      [
        "block time by the period, 200 transactions a second, 99 of 100",
        p99(times) / PERIOD_MS,
        1.4,
      ],
      [
        `block time by the period, ${Math.round(rate / 2)} transactions a second, 99 of 100`,
        p99(timesAtHalf) / PERIOD_MS,
        1.2,
      ],
      ["block time by the period, one validator attacked, slowest", attacked / PERIOD_MS, 1.5],
      ...(await besideHardhat(rate, tokenRate)),
      ["375 transfers/s, as a multiple of what four validators take", 375 / rate, 1],
      ["share of a core that an idle validator takes", idle, 0.03],
      ["MiB of the largest validator", memory, 200],
    ];
  } finally {
    for (const node of nodes) await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Hardhat's node alone on the machine; it mines a block for each transaction. */
async function besideHardhat(rate, tokenRate) {
  const rates = await ratesOfPeer("hardhat", ["transfer", "erc20"]);
  if (rates === undefined) return [];
  const [transfers, tokens] = rates;
  console.log(`hardhat: ${transfers} transfers/s, ${tokens} of a token`);
  return [
    ["transfers/s of hardhat, as a share of what four validators take", transfers / rate, 0.5],
    ["token transfers/s of hardhat, as a share of theirs", tokens / tokenRate, 0.67],
  ];
}

/** The share of a core that a validator uses while there are only empty blocks. */
async function measureIdle(nodes) {
  const before = nodes.map(({ pid }) => processorSeconds(pid));
  await pause(IDLE_SECONDS * 1000);
  const used = nodes.map(({ pid }, index) => processorSeconds(pid) - before[index]);
  return Math.max(...used) / IDLE_SECONDS;
}

/** Milliseconds between blocks as one node sees them with so many transactions per second, in ascending order. */
async function measureBlockTimes(nodes, nonces, { rate, blocks }) {
  let isOver = false;
  const load = (async () => {
    const began = performance.now();
    for (let sent = 0; !isOver; ) {
      const due = ((performance.now() - began) / 1000) * rate;
      for (; sent < due; sent += 10) await send(nodes[0], nonces, 10, TRANSFER);
      await pause(10);
    }
  })();
  const times = await measureGaps(nodes[3], blocks);
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

/**
 * Transactions per second from full pools until those of all validators are empty.
 *
 * The first transaction of each sender arrives last, just after a block: until then none can be included.
 */
async function measureFullPool(nodes, nonces, fields) {
  const [first, ...later] = Array.from({ length: FULL_POOL_NONCES }, () =>
    nonces.map((_, sender) => signNext(sender, nonces, fields)),
  );
  await submit(nodes[0], later.flat());
  await untilPooled(nodes, later.flat().length);
  await untilHeight(nodes[0], (await heightOf(nodes[0])) + 1);
  const began = performance.now();
  await submit(nodes[0], first);
  await untilPooled(nodes, 0);
  return (FULL_POOL_NONCES * nonces.length) / ((performance.now() - began) / 1000);
}

/** Resolves once every pool has so many transactions. */
async function untilPooled(nodes, count) {
  const sizeOf = async (node) => {
    const { localCount, remoteCount } = await node.rpc("txpool_besuStatistics", []);
    return localCount + remoteCount;
  };
  const until = performance.now() + FILLED_WITHIN_MS;
  for (;;) {
    const sizes = await Promise.all(nodes.map(sizeOf));
    if (sizes.every((size) => size === count)) return;
    if (performance.now() > until) {
      throw new Error(`the pools have ${sizes} transactions instead of ${count}`);
    }
    await pause(20);
  }
}

/** Sends transactions, each of the sender with the lowest nonce. */
async function send(node, nonces, count, fields) {
  const lowest = () => nonces.indexOf(nonces.reduce((a, b) => (a < b ? a : b)));
  await submit(
    node,
    Array.from({ length: count }, () => signNext(lowest(), nonces, fields)),
  );
}

async function submit(node, raws) {
  for (let from = 0; from < raws.length; from += AT_ONCE) {
    const some = raws.slice(from, from + AT_ONCE);
    await Promise.all(some.map((raw) => node.rpc("eth_sendRawTransaction", [raw])));
  }
}

/** The next transaction of a sender. */
function signNext(sender, nonces, { data, ...fields }) {
  const rest = { chainId: 1337n, gasPrice: 0n, data: hexToBytes(data), nonce: nonces[sender]++ };
  return toHex(signTransaction({ ...rest, ...fields }, hexToBytes(keyOf(sender))));
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
