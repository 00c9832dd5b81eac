// Part of `npm run bench state`: rates of warm nodes with 1,000, 100,000 and 1,000,000 accounts, and as many slots of one token
// (STATE_ACCOUNTS for others). The largest is compared with the smallest, and a call at an old block with one at the head.
// geth, if it was built (`npm run geth`), takes the same reads in turn.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCrypto, parseHex } from "@plinth/core";
import { decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import storageLevel from "@plinth/plugin-storage-level";
import { isUp, median } from "./measured.mjs";
import { freePort, PROGRAM } from "./node-process.mjs";
import { GETH, initializeGeth, serveGeth } from "./peers/geth-state.mjs";
import { slotOf, TOKEN, TOKEN_CODE, tokenTransferTo, transferTo, wordOf } from "./token.mjs";

const SIZES = (process.env.STATE_ACCOUNTS ?? "1000,100000,1000000").split(",").map(Number);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const BLOCKS_PER_ROUND = 20;
const PER_BLOCK = 100;
const CALLS_PER_REQUEST = 20;
const CONNECTIONS = 4;
const LOAD_MS = 2_000;
/** Before it is measured: after its start, LevelDB merges the tables that the last blocks have written. */
const WARM_MS = 8_000;

const KEY = parseHex("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");
const ALICE = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
/** Rates of each size; returns rows of the largest against the smallest, and of old blocks against the head. */
export async function benchRates() {
  await loadCrypto();
  const nodes = [];
  try {
    for (const accounts of SIZES) nodes.push(await prepare(accounts));
    const rates = await measureAll(nodes);
    for (const [index, accounts] of SIZES.entries()) {
      const shown = Object.entries(rates[index]).map(([what, rate]) => `${what} ${rate}/s`);
      console.log(`${accounts.toLocaleString("en")} accounts and slots: ${shown.join(", ")}`);
    }
    const [least, most] = [rates[0], rates.at(-1)];
    const size = SIZES.at(-1)?.toLocaleString("en");
    for (const what of ["eth_getBalance", "eth_call"]) {
      const [few, many] = [least, most].map((each) => each[`geth's ${what}`]);
      if (many === undefined) continue;
      console.log(
        `geth's ${what}, ${size} against ${SIZES[0].toLocaleString("en")}: ${(many / few).toFixed(2)}`,
      );
    }
    const rows = ["transfers", "token transfers", "eth_call", "eth_getBalance"].map((what) => [
      `${what}, ${size} accounts and slots against ${SIZES[0].toLocaleString("en")}`,
      most[what],
      least[what],
      "≥ 0.8",
    ]);
    rows.push([
      `eth_call at block 1, ${size} slots`,
      most["eth_call at block 1"],
      most.eth_call,
      "≥ 0.4",
    ]);
    return rows;
  } finally {
    for (const { folder } of nodes) rmSync(folder, { recursive: true, force: true });
  }
}

/** All nodes take turns, so that a slow moment affects each of them. */
async function measureAll(nodes) {
  const found = nodes.map(() => ({}));
  const note = (index, what, rate) => {
    found[index][what] ??= [];
    found[index][what].push(rate);
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, node] of nodes.entries()) {
      const open = await openBlocks(node);
      await produce(open, node, transferTo);
      await produce(open, node, tokenTransferTo);
      note(index, "transfers", await produce(open, node, transferTo));
      note(index, "token transfers", await produce(open, node, tokenTransferTo));
      await open.stop();
    }
    for (const [index, node] of nodes.entries()) {
      const server = await serve(node);
      await load(server.port, () => tokenCall(node, "latest"), WARM_MS);
      note(index, "eth_getBalance", await load(server.port, () => balanceCall(node)));
      note(index, "eth_call", await load(server.port, () => tokenCall(node, "latest")));
      note(index, "eth_call at block 1", await load(server.port, () => tokenCall(node, "0x1")));
      await server.stop();
      if (!existsSync(GETH)) continue;
      const geth = await serveGeth(node.folder);
      await load(geth.port, () => tokenCall(node, "latest"), WARM_MS);
      note(index, "geth's eth_getBalance", await load(geth.port, () => balanceCall(node)));
      note(index, "geth's eth_call", await load(geth.port, () => tokenCall(node, "latest")));
      await geth.stop();
    }
  }
  return found.map((rates) =>
    Object.fromEntries(
      Object.entries(rates).map(([what, each]) => [what, Math.round(median(each))]),
    ),
  );
}

async function prepare(accounts) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-rates-"));
  const genesisFile = join(folder, "genesis.json");
  await writeGenesis(genesisFile, accounts);
  if (existsSync(GETH)) await initializeGeth(folder, genesisFile);
  return { folder, genesisFile, accounts, dataPath: join(folder, "data"), nonce: 0, seed: 1 };
}

async function openBlocks({ genesisFile, dataPath }) {
  const plugins = [storageLevel, evmPlinth, consensusDev];
  const node = await createNode({ plugins, options: { genesisFile, dataPath } });
  await node.open();
  return node;
}

/** Builds and imports blocks; returns transactions per second. */
async function produce(open, node, describe) {
  const signed = Array.from({ length: BLOCKS_PER_ROUND }, () =>
    Array.from({ length: PER_BLOCK }, () => {
      const fields = {
        chainId: 1337n,
        nonce: BigInt(node.nonce++),
        value: 0n,
        gasPrice: 10n ** 10n,
      };
      return decodeTransaction(signTransaction({ ...fields, ...describe(pick(node)) }, KEY));
    }),
  );
  const begun = performance.now();
  for (const candidates of signed) {
    const { timestamp } = open.blocks.head();
    const built = await open.blocks.build({ timestamp: timestamp + 1n, candidates });
    if (built.block.body.transactions.length !== PER_BLOCK) throw new Error("a block is not full");
    await open.blocks.submit(built);
  }
  return (BLOCKS_PER_ROUND * PER_BLOCK * 1000) / (performance.now() - begun);
}

function balanceCall(node) {
  return { method: "eth_getBalance", params: [pick(node), "latest"] };
}

function tokenCall(node, block) {
  return { method: "eth_call", params: [{ to: TOKEN, data: `0x${wordOf(pick(node))}` }, block] };
}

function pick(node) {
  node.seed = (node.seed * 48_271) % 2_147_483_647;
  return addressOf(node.seed % node.accounts);
}

async function serve({ genesisFile, dataPath }) {
  const port = await freePort();
  const words = [`--genesis-file=${genesisFile}`, `--data-path=${dataPath}`, "--p2p-enabled=false"];
  const child = spawn(
    process.execPath,
    [PROGRAM, ...words, "--rpc-http-enabled", `--rpc-http-port=${port}`],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await isUp(child);
  child.stdout.resume();
  const stop = async () => {
    const closed = once(child.removeAllListeners("close"), "close");
    child.kill();
    await closed;
  };
  return { port, stop };
}

/** Sends batches of calls for some time; returns calls per second. */
async function load(port, create, durationMs = LOAD_MS) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const begun = performance.now();
  let count = 0;
  const work = async () => {
    while (performance.now() - begun < durationMs) {
      const calls = Array.from({ length: CALLS_PER_REQUEST }, (_, id) => ({ id, ...create() }));
      const sent = calls.map((call) => ({ jsonrpc: "2.0", ...call }));
      await send(port, agent, sent);
      count += sent.length;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  return count / seconds;
}

async function send(port, agent, calls) {
  const headers = { "content-type": "application/json" };
  const sent = request({ port, host: "127.0.0.1", agent, method: "POST", headers });
  sent.end(JSON.stringify(calls));
  const [response] = await once(sent, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  const wrong = JSON.parse(text).find(({ result }) => result === undefined);
  if (wrong !== undefined) throw new Error(JSON.stringify(wrong));
}

/** Accounts with a balance, and a token that each of them holds. */
async function writeGenesis(path, accounts) {
  const file = createWriteStream(path);
  const write = async (text) => {
    if (!file.write(text)) await once(file, "drain");
  };
  await write('{"config":{"chainId":1337,"shanghaiTime":0,"dev":{}},"gasLimit":"0x5f5e1000",');
  await write(
    `"baseFeePerGas":"0x7","alloc":{"${ALICE}":{"balance":"0x${(10n ** 30n).toString(16)}"}`,
  );
  for (let index = 0; index < accounts; index++)
    await write(`,"${addressOf(index)}":{"balance":"0x1"}`);
  await write(
    `,"${TOKEN}":{"balance":"0x0","code":"${TOKEN_CODE}","storage":{"${slotOf(ALICE)}":"0xffffffffffff"`,
  );
  for (let index = 0; index < accounts; index++)
    await write(`,"${slotOf(addressOf(index))}":"0x01"`);
  file.end("}}}}");
  await once(file, "finish");
}

function addressOf(index) {
  return `0x${createHash("sha256").update(String(index)).digest("hex").slice(0, 40)}`;
}
