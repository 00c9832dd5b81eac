// A source whose chain grows, is reorganized and rewound until its standard input ends (`source`), and a replica that follows
// it (`replica`): both on LevelDB, until the process is killed. `check` follows until it has the head of the source, compares
// its chain and its stream of changes with that, and prints the head.
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { definePlugin, optional } from "@plinth/core";
import changes from "@plinth/plugin-changes";
import { changeStream, RecordChain } from "@plinth/plugin-changes/api";
import follow from "@plinth/plugin-follow";
import storageLevel from "@plinth/plugin-storage-level";
import transportHttp from "@plinth/plugin-transport-http";
import { createTestNode, transfer } from "@plinth/testing";
import { createRandom } from "./log-queries.mjs";

const MAX_BACK = 8;
/** Of the source: a block, its head set back, or a longer branch. */
const [BLOCK, BACK] = [7, 9];

const [what, folder, port, seed = "0"] = process.argv.slice(2);
await { source, replica, check }[what]();

/** Changes the chain in every possible way until the input ends; then it only serves. */
async function source() {
  const { node } = await start({ rpcHttpPort: Number(port), devPeriodSeconds: 3600 });
  const { blocks } = node.node;
  const random = createRandom(Number(seed));
  let isEnding = false;
  once(process.stdin.resume(), "end").then(() => {
    isEnding = true;
  });
  process.stdout.write("ready\n");
  while (!isEnding) {
    const kind = random(10);
    const back = Math.min(random(MAX_BACK), Number(blocks.head().number));
    if (kind < BLOCK || back === 0) await node.mine(random(2) === 0 ? [transfer()] : []);
    else if (kind < BACK) await setBack(blocks, back);
    else await node.reorganize(back);
    await setImmediate();
  }
  process.stdout.write(`${blocks.head().hash}\n`);
}

async function setBack(blocks, back) {
  const { hash } = blocks.findHeader(blocks.head().number - BigInt(back));
  await blocks.setHead(hash);
}

async function replica() {
  await start(followed());
  process.stdout.write("ready\n");
}

/** The seed is the head to reach. */
async function check() {
  let reached;
  const isReached = new Promise((resolve) => {
    reached = resolve;
  });
  const watching = definePlugin({
    name: "watching",
    setup: ({ hooks }) =>
      hooks.chain.headChanged.tap(({ head }) => {
        if (head.hash === seed) reached();
      }),
  });
  const { node, stream } = await start(followed(), [watching]);
  const { blocks } = node.node;
  if (blocks.head().hash !== seed) await isReached;
  const problems = [...blocks.verifyBlocks(), ...blocks.verifyState()].flatMap(
    (each) => each.problems,
  );
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  verifyStream(stream, blocks);
  process.stdout.write(`${blocks.head().hash}\n`);
  await node.stop();
}

/** Throws unless the records of the replica lead from block 0 to its head, one by one. */
function verifyStream(stream, blocks) {
  const { id, hash, lastSequence } = stream.descriptor;
  const chain = new RecordChain({ sequence: 0n, hash: id });
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
  }
  if (head !== blocks.head().hash) throw new Error(`the stream ends at ${head}`);
}

function followed() {
  return { follow: [`http://127.0.0.1:${port}`], rpcHttpPort: 0 };
}

async function start(options, plugins = []) {
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
    plugins: [storageLevel, transportHttp, changes, follow, user, ...plugins],
    options: {
      ...{ keyValueStorage: "leveldb", dataPath: folder, rpcHttpEnabled: true },
      ...{ dataStorageFormat: "BONSAI", changesEnabled: true, changesRetained: 1_000_000 },
      ...options,
    },
  });
  return { node, stream };
}
