// A node whose chain of calls between contracts grows and is reorganized until the process is killed (`work`), and one
// that compares its address index with one that is built from nothing (`verify`).
import { setImmediate } from "node:timers/promises";
import { definePlugin, optional } from "@plinth/core";
import { addressIndex, registerAddressIndex } from "@plinth/plugin-address-index/api";
import storageLevel from "@plinth/plugin-storage-level";
import { ALICE, BOB, CAROL, createTestNode, DAVE, DEV_GENESIS } from "@plinth/testing";
import { createRandom } from "./log-queries.mjs";

/** Number of blocks before a node reports that it is working. */
const READY_AT = 8;
const MAX_BACK = 20;
/** The pool accepts no more than 200 of one sender. */
const MAX_WAITING = 100;
const CALLER = `0x${"c1".padStart(40, "0")}`;
const FACTORY = `0x${"c2".padStart(40, "0")}`;
const REVERTING = `0x${"c3".padStart(40, "0")}`;
const CODES = {
  [CALLER]: "0x60006000600060006020356000355af100",
  [FACTORY]: "0x3660006000373660006000f000",
  [REVERTING]: "0x600060006000600060006000355af15060006000fd",
};
const TARGETS = [BOB, ALICE.address, CAROL.address, DAVE.address, ...Object.keys(CODES)];
const INIT_CODE = "60016000f3";
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    ...Object.fromEntries(
      Object.entries(CODES).map(([address, code]) => [address, { code, balance: "0x100000" }]),
    ),
  },
};

const [what, folder, seed = "0", ...words] = process.argv.slice(2);
const random = createRandom(Number(seed));
await { work, verify }[what]();

/** Changes the chain in every possible way, forever. */
async function work() {
  const { node } = await start(words.includes("index"));
  const { blocks } = node.node;
  const heads = [];
  for (let count = 0; ; count++) {
    if (count === READY_AT) process.stdout.write("ready\n");
    const kind = random(20);
    if (kind < 16) await node.mine((await countWaiting(node)) > MAX_WAITING ? [] : transactions());
    else if (kind < 18) await goBack(blocks);
    else if (heads.length > 0) await blocks.setHead(heads[random(heads.length)]);
    heads.push(blocks.head().hash);
    if (heads.length > MAX_BACK) heads.shift();
    await setImmediate();
  }
}

function transactions() {
  return Array.from({ length: random(4) }, () => {
    const from = [ALICE, CAROL, DAVE][random(3)];
    const to = TARGETS[random(TARGETS.length)];
    const input = to.slice(2).padStart(64, "0") + random(3).toString(16).padStart(64, "0");
    const calls = [
      { to: BOB, value: 1n },
      { to: CALLER, data: input, gasLimit: 200_000n },
      { to: REVERTING, data: input, gasLimit: 200_000n },
      { to: FACTORY, data: INIT_CODE, gasLimit: 200_000n },
      { data: INIT_CODE, gasLimit: 200_000n },
    ];
    return { from, ...calls[random(calls.length)] };
  });
}

/** Transactions of removed blocks, which go into the next one. */
async function countWaiting({ rpc }) {
  let count = 0;
  for (const { address } of [ALICE, CAROL, DAVE]) {
    const countAt = async (tag) => Number(await rpc("eth_getTransactionCount", [address, tag]));
    count = Math.max(count, (await countAt("pending")) - (await countAt("latest")));
  }
  return count;
}

async function goBack(blocks) {
  const number = Number(blocks.head().number) - 1 - random(1 + random(MAX_BACK));
  await blocks.setHead(blocks.findHeader(BigInt(Math.max(0, number))).hash);
}

/** Prints how many entries both have. */
async function verify() {
  const test = await start(true);
  const kept = await test.entries();
  await test.node.stop();
  const { code } = await test.node.command("operator rebuild-address-index");
  await test.node.restart();
  const rebuilt = await test.entries();
  await test.node.stop();
  if (code !== 0) throw new Error(`the command ended with ${code}`);
  if (kept.join() !== rebuilt.join()) {
    const other = kept.filter((entry) => !rebuilt.includes(entry));
    const missing = rebuilt.filter((entry) => !kept.includes(entry));
    throw new Error(`the index differs: ${JSON.stringify({ other, missing })}`);
  }
  process.stdout.write(JSON.stringify({ entries: kept.length }));
}

async function start(isEnabled) {
  let table;
  let index;
  const plugin = definePlugin({
    name: "address-index",
    provides: [addressIndex],
    setup(node) {
      const storage = {
        table(...settings) {
          table = node.storage.table(...settings);
          return table;
        },
      };
      registerAddressIndex({ ...node, storage }, { isEnabled });
    },
  });
  const user = definePlugin({
    name: "index-user",
    dependencies: { index: optional(addressIndex) },
    setup({ onStart }) {
      onStart((runtime) => {
        index = runtime.index;
      });
    },
  });
  const node = await createTestNode({
    plugins: [storageLevel, plugin, user],
    options: { keyValueStorage: "leveldb", dataPath: folder, devPeriodSeconds: 3600 },
    genesis: GENESIS,
  });
  return {
    node,
    /** All of the table, once it has the head. */
    async entries() {
      const { signal } = new AbortController();
      if (!(await index.waitForHead({ timeoutMs: 60_000, signal }))) throw new Error("incomplete");
      const entries = [];
      for await (const entry of table.iterate()) {
        entries.push(entry.map((bytes) => Buffer.from(bytes).toString("hex")).join(" "));
      }
      return entries;
    },
  };
}
