// A node whose chain changes in every possible way (`node`), a replica of it (`replica`), and a replica with a relay
// (`relay`): each on LevelDB, in a process that is killed. It loads first and starts with a task, so that it can load while
// others work.
import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { definePlugin, optional } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import changes from "@plinth/plugin-changes";
import { changeStream, RecordChain } from "@plinth/plugin-changes/api";
import follow from "@plinth/plugin-follow";
import { dependencies, options, registerRelay } from "@plinth/plugin-relay-postgres/api";
import storageLevel from "@plinth/plugin-storage-level";
import transportHttp from "@plinth/plugin-transport-http";
import { ACCOUNTS, createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { createRandom } from "./log-queries.mjs";
import { findRelayedHash, openParentDatabase } from "./parent-database.mjs";
import { serveTasks } from "./serve-tasks.mjs";

const MAX_BACK = 8;
const MAX_TRANSACTIONS = 6;
/** Of ten changes of the chain: new blocks, then the head set back; the others are longer branches. */
const [BLOCK, BACK] = [7, 9];
/** Between changes of the chain. */
const PAUSE_MS = 5;
const TOKEN = `0x${"70".repeat(20)}`;
/** Takes an amount from its caller, gives it to the account in its calldata, and logs the transfer. */
const TOKEN_CODE =
  "0x602035600052602035600035540160003555602035335403335560003533" +
  "7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a300";
const GENESIS = {
  ...DEV_GENESIS,
  alloc: { ...DEV_GENESIS.alloc, [TOKEN]: { balance: "0", code: TOKEN_CODE } },
};

const moved = new Signal();
let node;
let stream;
let isPaused = false;
let work = Promise.resolve();

serveTasks({ start, pause, resume, relay, reach, describe, verifyTables });

async function start({ role, folder, port, sources, url, seed }) {
  const relaying = definePlugin({
    name: "relay-postgres",
    dependencies,
    options,
    setup: (node) =>
      registerRelay(node, node.config, url === undefined ? openParentDatabase : undefined),
  });
  const watching = definePlugin({
    name: "watching",
    dependencies: { changes: optional(changeStream) },
    setup({ hooks, onStart }) {
      hooks.chain.headChanged.tap(() => {
        moved.notify();
        process.send({ isStep: true });
      });
      onStart((runtime) => {
        stream = runtime.changes;
      });
    },
  });
  node = await createTestNode({
    plugins: [storageLevel, transportHttp, changes, follow, relaying, watching],
    genesis: GENESIS,
    options: {
      ...{ keyValueStorage: "leveldb", dataPath: folder, dataStorageFormat: "BONSAI" },
      ...{ rpcHttpEnabled: true, rpcHttpPort: port },
      ...{ changesEnabled: true, changesRetained: 1_000_000 },
      ...(role === "node" ? { devPeriodSeconds: 3600 } : { follow: sources }),
      ...(role === "relay"
        ? { relayPostgresUrl: url ?? "pglite:unused", relayPostgresBatchBlocks: 20 }
        : {}),
    },
  });
  if (role === "node") work = changeChain(createRandom(seed));
}

/** Changes the chain until it is paused. */
async function changeChain(random) {
  const { blocks } = node.node;
  while (!isPaused) {
    const kind = random(10);
    const back = Math.min(random(MAX_BACK), Number(blocks.head().number));
    if (kind < BLOCK || back === 0) await node.mine(someTransactions(random));
    else if (kind < BACK) {
      await blocks.setHead(blocks.findHeader(blocks.head().number - BigInt(back)).hash);
    } else await node.reorganize(back);
    await setTimeout(PAUSE_MS);
  }
}

/** Transfers of ether and of tokens; some of these run out of gas. */
function someTransactions(random) {
  return Array.from({ length: random(MAX_TRANSACTIONS) }, () => {
    const from = ACCOUNTS[random(ACCOUNTS.length)];
    const { address } = ACCOUNTS[random(ACCOUNTS.length)];
    if (random(2) === 0) return transfer({ from, to: address });
    const amount = random(1000).toString(16).padStart(64, "0");
    const data = `${address.slice(2).padStart(64, "0")}${amount}`;
    return { from, to: TOKEN, data, gasLimit: random(10) === 0 ? 24_000n : 100_000n };
  });
}

/** Returns the head, which stays. */
async function pause() {
  isPaused = true;
  await work;
  return { head: node.node.blocks.head().hash };
}

function resume({ seed }) {
  isPaused = false;
  work = changeChain(createRandom(seed));
}

/** Resolves once the tables have a block. */
async function relay() {
  while ((await findRelayedHash()) === undefined) await setTimeout(5);
}

/** Resolves once a block is the head, and, if wanted, the last one in the tables. */
async function reach({ head, isRelayed }) {
  while (node.node.blocks.head().hash !== head) await moved.next();
  while (isRelayed && (await findRelayedHash()) !== head) await setTimeout(5);
}

/** What is on the chain, with the problems of its database and of its stream of changes. */
function describe() {
  const { blocks } = node.node;
  const found = { transactions: 0, logs: 0 };
  const chain = createHash("sha256");
  for (let number = 0n; number <= blocks.head().number; number++) {
    const { header, body } = blocks.findBlock(number);
    const receipts = blocks.findReceipts(header.hash);
    found.transactions += body.transactions.length;
    for (const { logs } of receipts) found.logs += logs.length;
    chain.update(JSON.stringify([header.hash, receipts], toText));
  }
  // Those of the state are computed from every account, and compared with the root in the header.
  const problems = [...blocks.verifyBlocks(), ...blocks.verifyState()].flatMap(
    (each) => each.problems,
  );
  return {
    number: Number(blocks.head().number),
    ...found,
    chain: chain.digest("hex"),
    problems: [...problems, ...problemsOfStream(blocks)],
  };
}

/** The records must lead from block 0 to the head, one by one. */
function problemsOfStream(blocks) {
  const { id, hash, lastSequence } = stream.descriptor;
  const chain = new RecordChain({ sequence: 0n, hash: id });
  const problems = [];
  let head = hash;
  for (let sequence = 1n; sequence <= lastSequence; sequence++) {
    const record = stream.find(sequence);
    chain.add(record);
    const header = blocks.findHeader(record.blockHash);
    const isAdded = record.kind === "added";
    if (head !== (isAdded ? header.parentHash : header.hash)) {
      problems.push(`record ${sequence} does not continue at ${head}`);
    }
    head = isAdded ? header.hash : header.parentHash;
  }
  if (head !== blocks.head().hash) problems.push(`the stream ends at ${head}`);
  return problems;
}

/** Stops the node, and compares the tables with its chain. */
async function verifyTables() {
  await node.stop();
  const { code, stdout, stderr } = await node.command("relay verify");
  return { code, text: stdout + stderr };
}

function toText(_, value) {
  if (typeof value === "bigint") return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}
