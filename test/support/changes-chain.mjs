// A node whose chain grows, is reorganized and rewound until the process is killed (`work`), and one that prints the
// records of its stream of changes, after it has compared them with the chain (`read`).
import { setImmediate } from "node:timers/promises";
import { definePlugin, optional } from "@plinth/core";
import changes from "@plinth/plugin-changes";
import { changeStream, RecordChain } from "@plinth/plugin-changes/api";
import storageLevel from "@plinth/plugin-storage-level";
import { createTestNode, transfer } from "@plinth/testing";
import { createRandom } from "./log-queries.mjs";

const READY_AT = 4;
const MAX_BACK = 8;

const [what, folder, seed = "0"] = process.argv.slice(2);
const random = createRandom(Number(seed));
await { work, read }[what]();

/** Changes the chain in every possible way, forever. */
async function work() {
  const { node } = await start();
  const { blocks } = node.node;
  const heads = [];
  for (let count = 0; ; count++) {
    if (count === READY_AT) process.stdout.write("ready\n");
    const kind = random(10);
    if (kind < 7) await node.mine(random(2) === 0 ? [transfer()] : []);
    else if (kind < 9 || heads.length === 0) await goBack(blocks);
    else await blocks.setHead(heads[random(heads.length)]);
    heads.push(blocks.head().hash);
    if (heads.length > MAX_BACK) heads.shift();
    await setImmediate();
  }
}

async function goBack(blocks) {
  const number = Number(blocks.head().number) - random(MAX_BACK);
  await blocks.setHead(blocks.findHeader(BigInt(Math.max(0, number))).hash);
}

/** Prints the id of the stream and the hashes of its records; throws unless they lead to the head. */
async function read() {
  const { node, stream } = await start();
  const { blocks } = node.node;
  const { id, hash, firstSequence, lastSequence } = stream.descriptor;
  if (firstSequence !== 1n) throw new Error(`the stream begins with ${firstSequence}`);
  const chain = new RecordChain({ sequence: 0n, hash: id });
  const hashes = [];
  let head = hash;
  for (let sequence = 1n; sequence <= lastSequence; sequence++) {
    const record = stream.find(sequence);
    chain.add(record);
    const header = blocks.findHeader(record.blockHash);
    const isAdded = record.kind === "added";
    if (head !== (isAdded ? header.parentHash : header.hash)) {
      throw new Error(`record ${sequence} does not continue at ${head}`);
    }
    head = isAdded ? header.hash : header.parentHash;
    hashes.push(record.hash);
  }
  if (head !== blocks.head().hash) throw new Error(`the stream ends at ${head}`);
  const last = lastSequence === 0n ? undefined : stream.find(lastSequence);
  if (last?.kind === "added") await stream.load(last, { state: true });
  await node.stop();
  process.stdout.write(JSON.stringify({ id, hashes }));
}

async function start() {
  let stream;
  const user = definePlugin({
    name: "stream-user",
    dependencies: { changes: optional(changeStream) },
    setup({ onStart }) {
      onStart((runtime) => {
        stream = runtime.changes;
      });
    },
  });
  const node = await createTestNode({
    plugins: [storageLevel, changes, user],
    options: {
      ...{ keyValueStorage: "leveldb", dataPath: folder, devPeriodSeconds: 3600 },
      ...{ dataStorageFormat: "BONSAI", changesEnabled: true, changesRetained: 1_000_000 },
    },
  });
  return { node, stream };
}
