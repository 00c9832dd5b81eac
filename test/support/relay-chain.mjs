// A node with a relay, in a process that is killed. Its database is a server, or in the parent process, which runs the
// statements. Once the tables have its chain it returns the hashes of its blocks; then it changes the chain forever.
import { setImmediate, setTimeout } from "node:timers/promises";
import { definePlugin } from "@plinth/core";
import changes from "@plinth/plugin-changes";
import { dependencies, options, registerRelay } from "@plinth/plugin-relay-postgres/api";
import storageLevel from "@plinth/plugin-storage-level";
import { createTestNode, transfer } from "@plinth/testing";
import { createRandom } from "./log-queries.mjs";
import { findRelayedHash, openParentDatabase } from "./parent-database.mjs";
import { serveTasks } from "./serve-tasks.mjs";

const MAX_BACK = 4;

const [folder, seed, url] = process.argv.slice(2);
const random = createRandom(Number(seed));

let node;
serveTasks({ start, work });

/** Resolves to the hashes of the chain, once the tables have it. */
async function start() {
  node = await createRelay();
  const { blocks } = node.node;
  while ((await findRelayedHash()) !== blocks.head().hash) await setTimeout(1);
  return Array.from(
    { length: Number(blocks.head().number) + 1 },
    (_, each) => blocks.findHeader(BigInt(each)).hash,
  );
}

/** Changes the chain in every possible way. */
async function work() {
  const { blocks } = node.node;
  const heads = [];
  for (;;) {
    const kind = random(10);
    const { number, hash } = blocks.head();
    heads.push(hash);
    if (heads.length > MAX_BACK) heads.shift();
    if (kind < 7) await node.mine(random(2) === 0 ? [transfer(), transfer()] : []);
    else if (kind < 9) {
      const back = number - BigInt(random(MAX_BACK));
      await blocks.setHead(blocks.findHeader(back < 0n ? 0n : back).hash);
    } else await blocks.setHead(heads[random(heads.length)]);
    await setImmediate();
  }
}

function createRelay() {
  const relay = definePlugin({
    name: "relay-postgres",
    dependencies,
    options,
    setup: (registering) =>
      registerRelay(
        registering,
        registering.config,
        url === undefined ? openParentDatabase : undefined,
      ),
  });
  return createTestNode({
    plugins: [storageLevel, changes, relay],
    options: {
      ...{ keyValueStorage: "leveldb", dataPath: folder, devPeriodSeconds: 3600 },
      ...{
        dataStorageFormat: "BONSAI",
        changesEnabled: true,
        relayPostgresUrl: url ?? "pglite:unused",
      },
      relayPostgresBatchBlocks: 3,
    },
  });
}
