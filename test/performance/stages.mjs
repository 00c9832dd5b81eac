// `npm run bench stages`: the processor time of each step of a transfer and of calls, in the program as `plinth dev` runs it.
//
// The totals are those of the process (all threads), the steps are their shares in a sampling profile of the main thread:
// the program has no timers for it. Figures of other machines and hours are compared by a fixed piece of work that is
// measured in the same run; the column of the last release is what it took, at the speed of this run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { calibrate, mainThreadSeconds, median, processorSeconds } from "./measured.mjs";
import { PROGRAM, pause } from "./node-process.mjs";
import { readReleases } from "./save-results.mjs";
import { Profiler, stacksOf } from "./stages/cpu-profile.mjs";
import { LoadConnection, requestOf } from "./stages/load-connection.mjs";
import { sumStages } from "./stages/stage-of.mjs";
import { slotOf, wordOf } from "./token.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CHAIN_ID = 1337n;
const GAS_PRICE = 10n ** 10n;
const SENDERS = 20;
const CONNECTIONS = 16;
const TRANSACTIONS = 1000;
const CALLS = 5000;
const SEARCHES = 200;
/** Logs of a search. */
const LOGS = 1000;
/** Until work that follows a block is done, such as that of indexes. */
const SETTLE_MS = 500;
const TOKEN = "0x00000000000000000000000000000000000000cc";
const { code: TOKEN_CODE, selectors } = JSON.parse(
  readFileSync(fileURLToPath(new URL("evm/token.json", import.meta.url)), "utf8"),
);
/** Logs as often as its input says: a word with the number, and three topics. */
const LOGGER = "0x00000000000000000000000000000000000000dd";
const LOGGER_CODE = "0x5f355b8015601a5760019003805f528030600160205fa36002565b00";

const BALANCE = `0x${"1".padEnd(13, "0").padStart(64, "0")}`;

/** The steps in the order in which a request takes them. */
const STEPS = [
  "accept",
  "parse",
  "decode",
  "recover",
  "admit",
  "build",
  "threads",
  "prepare",
  "search",
  "execute",
  "roots",
  "commit",
  "response",
  "taps",
  "garbage",
  "system",
  "other",
  "other threads",
  "total",
];

/** Returns a row for each step of each kind of request; prints them beside those of the last release. */
export async function benchStages() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-stages-"));
  const node = await startDev(folder);
  try {
    const measured = [];
    for (const load of await createLoads(node.port)) measured.push(await measure(node, load));
    print(measured);
    return measured.flatMap(toRows);
  } finally {
    node.profiler.close();
    const closed = once(node.child, "close");
    node.child.kill();
    await closed;
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function startDev(folder, flags = []) {
  const args = [
    ...flags,
    "--inspect=127.0.0.1:0",
    PROGRAM,
    "dev",
    "--port=0",
    `--data-path=${folder}`,
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "close").then(([code]) => {
    throw new Error(`the node ended with ${code}`);
  });
  ended.catch(() => {});
  const address = (async () => {
    let text = "";
    for await (const chunk of child.stderr) {
      text += chunk;
      const url = /ws:\/\/\S+/.exec(text)?.[0];
      if (url !== undefined) return url;
    }
    throw new Error(`the node printed no address of its inspector:\n${text}`);
  })();
  const profiler = await Profiler.connect(await Promise.race([address, ended]));
  const file = join(folder, "plinth.ports");
  const findPort = () => existsSync(file) && /json-rpc=(\d+)/.exec(readFileSync(file, "utf8"))?.[1];
  while (!findPort()) await Promise.race([pause(20), ended]);
  const port = Number(findPort());
  return { child, profiler, port };
}

/** What is measured: `run` does it a number of times. */
export async function createLoads(port) {
  const crypto = await loadCrypto();
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => LoadConnection.open(port)),
  );
  const [first] = connections;
  const senders = Array.from({ length: SENDERS }, (_, index) => createSender(index, crypto));
  await first.rpc("anvil_setCode", [TOKEN, `0x${TOKEN_CODE.replace(/^0x/, "")}`]);
  await first.rpc("anvil_setCode", [LOGGER, LOGGER_CODE]);
  for (const { address } of senders) {
    await first.rpc("anvil_setBalance", [address, "0xffffffffffffffffffff"]);
    await first.rpc("anvil_setStorageAt", [TOKEN, slotOf(address), BALANCE]);
  }
  const hashes = [];
  const send = async (count, fieldsOf) => {
    const sent = Array.from({ length: count }, (_, index) => {
      const sender = senders[index % SENDERS];
      return { sender, body: requestOf("eth_sendRawTransaction", [sign(sender, fieldsOf(index))]) };
    });
    await shareOut(
      connections,
      sent,
      ({ sender }) => sender.index,
      async (connection, { body }) => {
        hashes.push(resultOf(await connection.send(body)));
      },
    );
    await untilMined(first, senders);
    await pause(SETTLE_MS);
  };
  const repeat = async (count, body) => {
    let expected;
    await shareOut(connections, Array(count).fill(body), undefined, async (connection) => {
      const text = await connection.send(body);
      expected ??= text;
      if (text !== expected)
        throw new Error(`another response than the first: ${text.slice(0, 200)}`);
    });
    resultOf(expected);
  };
  const sink = `0x${"51".repeat(20)}`;
  const [{ address: holder }] = senders;
  const balanceOf = `0x${selectors["balanceOf(address)"]}${wordOf(holder)}`;
  const transferOfOne = `${selectors["transfer(address,uint256)"]}${wordOf(sink)}${"1".padStart(64, "0")}`;
  const log = await first.rpc("eth_sendRawTransaction", [
    sign(senders[0], {
      to: LOGGER,
      gasLimit: 5_000_000n,
      data: `0x${LOGS.toString(16).padStart(64, "0")}`,
    }),
  ]);
  await untilMined(first, senders);
  const { blockNumber, logs } = await first.rpc("eth_getTransactionReceipt", [log]);
  if (logs.length !== LOGS) throw new Error(`${logs.length} logs instead of ${LOGS}`);
  const filter = { fromBlock: blockNumber, toBlock: blockNumber, address: LOGGER };
  return [
    {
      name: "transfer",
      count: TRANSACTIONS,
      run: (count) => send(count, () => ({ to: sink, value: 1n })),
    },
    {
      name: "receipt",
      count: TRANSACTIONS,
      run: (count) =>
        shareOut(connections, hashes.slice(-count), undefined, async (connection, hash) => {
          const { status } = await connection.rpc("eth_getTransactionReceipt", [hash]);
          if (status !== "0x1") throw new Error(`transaction ${hash} failed`);
        }),
    },
    {
      name: "ERC-20 transfer",
      count: TRANSACTIONS,
      run: (count) =>
        send(count, () => ({ to: TOKEN, gasLimit: 100_000n, data: `0x${transferOfOne}` })),
    },
    {
      name: "eth_call",
      count: CALLS,
      run: (count) =>
        repeat(count, requestOf("eth_call", [{ to: TOKEN, data: balanceOf }, "latest"])),
    },
    {
      name: "eth_blockNumber",
      count: 4 * CALLS,
      run: (count) => repeat(count, requestOf("eth_blockNumber", [])),
    },
    {
      name: `eth_getLogs of ${LOGS}`,
      count: SEARCHES,
      run: (count) => repeat(count, requestOf("eth_getLogs", [filter])),
    },
  ];
}

/** The totals of some rounds, then a profile of another one. */
async function measure({ child: { pid }, profiler }, { name, count, run }) {
  await run(count);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = calibrate();
    const [all, main] = [processorSeconds(pid), mainThreadSeconds(pid)];
    await run(count);
    const perUnit = (seconds) => (seconds * 1e6) / count;
    const total = perUnit(processorSeconds(pid) - all);
    const onMain = perUnit(mainThreadSeconds(pid) - main);
    rounds.push({ total, onMain, passUs: (before + calibrate()) / 2 });
  }
  const passUs = median(rounds.map((each) => each.passUs));
  const inPasses = (part) => median(rounds.map((each) => each[part] / each.passUs));
  const total = inPasses("total") * passUs;
  const onMain = inPasses("onMain") * passUs;
  const sums = sumStages(stacksOf(await profiler.record(() => run(count))));
  const sampled = [...sums.values()].reduce((sum, us) => sum + us, 0);
  const steps = new Map(STEPS.map((step) => [step, ((sums.get(step) ?? 0) / sampled) * onMain]));
  steps.set("other threads", Math.max(0, total - onMain));
  steps.set("total", total);
  console.log(`${name}: ${total.toFixed(0)} µs, a pass of the calibration ${passUs.toFixed(0)} µs`);
  return { name, steps, passUs };
}

/** Microseconds of now, and in brackets those of the last release at this speed. */
function print(measured) {
  const [latest] = readReleases().filter(({ rows }) =>
    rows.some(({ what }) => what.includes(" µs of ")),
  );
  const before = new Map(latest?.rows.map(({ what, ratio }) => [what, ratio]));
  const cell = ({ name, steps, passUs }, step) => {
    const ratio = before.get(titleOf(name, step));
    const us = (steps.get(step) ?? 0).toFixed(0);
    return ratio === undefined ? us : `${us} (${(ratio * passUs).toFixed(0)})`;
  };
  console.log(
    `\nMicroseconds of processor time${latest === undefined ? "" : `, in brackets those of ${latest.release}`}:\n`,
  );
  console.log(`| step | ${measured.map(({ name }) => name).join(" | ")} |`);
  console.log(`|---|${"---|".repeat(measured.length)}`);
  for (const step of STEPS) {
    console.log(`| ${step} | ${measured.map((each) => cell(each, step)).join(" | ")} |`);
  }
}

/** Steps of at least a hundredth of the total. */
function toRows({ name, steps, passUs }) {
  const least = (steps.get("total") ?? 0) / 100;
  return [...steps]
    .filter(([, us]) => us >= least)
    .map(([step, us]) => ({
      what: titleOf(name, step),
      ours: `${us.toFixed(0)} µs`,
      peer: `${passUs.toFixed(0)} µs`,
      ratio: us / passUs,
      bound: "",
    }));
}

function titleOf(name, step) {
  return `${name}: µs of ${step}`;
}

function createSender(index, { addressOf, publicKeyOf }) {
  const key = hexToBytes((index + 1000).toString(16).padStart(64, "0"));
  return { index, key, address: addressOf(publicKeyOf(key)), nonce: 0n };
}

function sign(sender, { to, value = 0n, gasLimit = 21_000n, data = "0x" }) {
  const fields = {
    chainId: CHAIN_ID,
    nonce: sender.nonce,
    gasPrice: GAS_PRICE,
    gasLimit,
    to,
    value,
  };
  sender.nonce += 1n;
  return toHex(signTransaction({ ...fields, data: hexToBytes(data) }, sender.key));
}

/** Hands items to connections, one after the other; those with one owner stay on one connection, in order. */
async function shareOut(connections, items, ownerOf, use) {
  let next = 0;
  const queues = connections.map((_, at) =>
    ownerOf === undefined ? undefined : items.filter((item) => ownerOf(item) % CONNECTIONS === at),
  );
  await Promise.all(
    connections.map(async (connection, at) => {
      const queue = queues[at];
      if (queue !== undefined) for (const item of queue) await use(connection, item);
      else while (next < items.length) await use(connection, items[next++]);
    }),
  );
}

async function untilMined(connection, senders) {
  const minedOf = (address) => connection.rpc("eth_getTransactionCount", [address, "latest"]);
  for (const { address, nonce } of senders) {
    while (BigInt(await minedOf(address)) < nonce) await pause(20);
  }
}

function resultOf(text) {
  const { result, error } = JSON.parse(text);
  if (error !== undefined) throw new Error(error.message);
  return result;
}
