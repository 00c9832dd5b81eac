// `npm run bench snapshots`: the block times of four validators while one of them creates snapshots and serves them,
// compared with their block times before, in one run.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { median } from "./measured.mjs";
import { freePort, PROGRAM } from "./node-process.mjs";
import { measureGaps, startValidators } from "./validators.mjs";

const ACCOUNTS = Number(process.env.STATE_ACCOUNTS ?? 100_000);
const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 100);
const WARM_UP_BLOCKS = 20;
const READERS = 4;
const MAX_RATIO = 1.2;

/** Rows of `[what, value, bound]`. */
export async function benchSnapshotLoad() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-snapshots-"));
  const port = await freePort();
  const served = join(folder, "snapshots");
  const serving = [
    "--snapshot-serve-enabled",
    `--snapshot-serve-port=${port}`,
    `--snapshot-serve-path=${served}`,
  ];
  const nodes = await startValidators(folder, {
    alloc: manyAccounts(),
    optionsOf: (index) => (index === 0 ? serving : []),
  });
  try {
    await measureGaps(nodes[0], WARM_UP_BLOCKS);
    const before = await measureGaps(nodes[0], BLOCKS);
    const isOver = new AbortController();
    const counts = { created: 0, read: 0 };
    const create = async (name) => {
      const args = [`--genesis-file=${join(folder, "genesis.json")}`];
      args.push(`--data-path=${join(folder, "data-0")}`, "snapshot", "create", join(served, name));
      await promisify(execFile)(process.execPath, [PROGRAM, ...args]);
      counts.created += 1;
    };
    await create("first");
    const work = [repeat(isOver, () => create(`later-${counts.created}`))];
    for (let reader = 0; reader < READERS; reader++) {
      const read = async () => {
        counts.read += await readSnapshot(`http://127.0.0.1:${port}/first`);
      };
      work.push(repeat(isOver, read));
    }
    const during = await measureGaps(nodes[0], BLOCKS);
    isOver.abort();
    await Promise.all(work);
    console.log(
      `block time: median ${median(before)} ms, then ${median(during)} ms while ${counts.created} snapshots of ${ACCOUNTS.toLocaleString("en")} accounts were created and ${Math.round(counts.read / 1e6)} MB were read`,
    );
    const [p99Before, p99] = [before, during].map(
      (times) => times[Math.floor(times.length * 0.99)],
    );
    return [
      [
        "ms between blocks while snapshots are created and served, 99 of 100",
        p99,
        Math.round(p99Before * MAX_RATIO),
      ],
    ];
  } finally {
    for (const node of nodes) await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function repeat({ signal }, work) {
  while (!signal.aborted) await work();
}

/** Reads all files of a snapshot; returns their bytes. */
async function readSnapshot(url) {
  const { files } = await (await fetch(`${url}/manifest.json`)).json();
  let bytes = 0;
  for (const { name } of files) {
    bytes += (await (await fetch(`${url}/${name}`)).arrayBuffer()).byteLength;
  }
  return bytes;
}

function manyAccounts() {
  const alloc = {};
  for (let index = 0; index < ACCOUNTS; index++) {
    const address = createHash("sha256").update(String(index)).digest("hex").slice(0, 40);
    alloc[`0x${address}`] = { balance: "0x1" };
  }
  return alloc;
}
