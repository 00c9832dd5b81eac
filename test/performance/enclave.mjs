// `npm run bench enclave`: how many payloads a private transaction manager sends and opens per
// second, and how fast it starts.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin } from "@plinth/core";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import enclavePlugin from "@plinth/plugin-enclave";
import { createKeyPair, enclave, loadSodium, writeKeyFile } from "@plinth/plugin-enclave/api";
import evmPlinth from "@plinth/plugin-evm-plinth";
import storageLevel from "@plinth/plugin-storage-level";
import { median } from "./measured.mjs";
import { freePort } from "./node-process.mjs";

const SENDS = 1000;
const RECEIVES = 5000;
/** Number of concurrent calls of a busy node. */
const AT_ONCE = 32;
const STARTS = 5;
const PAYLOAD = new Uint8Array(1024).fill(7);
const PROGRAM = new URL("../../cli/bin/plinth.js", import.meta.url).pathname;
const EMPTY_COMMAND = new URL("peers/empty-oclif/bin/run.js", import.meta.url).pathname;

/** Rows of `[what, value, bound]`. */
export async function benchEnclave() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-enclave-"));
  const sodium = await loadSodium();
  const managers = [];
  // The first one loads what all of them need.
  for (const name of ["a", "b", "c"])
    managers.push(await openManager(folder, name, sodium, managers));
  try {
    for (const { manager } of managers) await knowsAll(manager, managers.length - 1);
    const [{ manager }, ...others] = managers;
    const to = others.map(({ key }) => key);
    await inParallel(100, () => manager.payloads.send({ payload: PAYLOAD, to }));
    const hashes = [];
    const sends = await perSecond(SENDS, async () => {
      hashes.push(await manager.payloads.send({ payload: PAYLOAD, to }));
    });
    const receives = await perSecond(RECEIVES, async (index) => {
      manager.payloads.receive(hashes[index % hashes.length]);
    });
    const startMs = Math.max(...managers.map(({ startMs }) => startMs));
    const ratio = await measureProcess(folder);
    console.log(
      `send: ${sends.toFixed(0)}/s; receive: ${receives.toFixed(0)}/s; start: ${startMs.toFixed(0)} ms inside a process, ${ratio.toFixed(2)} times an empty oclif command as one`,
    );
    return [
      [
        "400 sends/s of 1 KB to two recipients, as a multiple of what a manager takes",
        400 / sends,
        1,
      ],
      ["1,000 receives/s, as a multiple of what a manager takes", 1000 / receives, 1],
      ["ms until a manager inside a process is there", startMs, 300],
      ["start of a manager as a process, as a multiple of an empty oclif command", ratio, 3],
    ];
  } finally {
    for (const { node } of managers) await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Managers announce themselves when they start. */
async function knowsAll(manager, count) {
  for (;;) {
    const { peers } = await manager.status();
    if (peers.filter(({ isKnown }) => isKnown).length === count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A node with an embedded manager; without one, the same node gives the baseline time. */
async function openManager(folder, name, sodium, others) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const pair = createKeyPair(sodium);
  const config = join(folder, `${name}.toml`);
  writeFileSync(join(folder, `${name}.key`), await writeKeyFile(pair, sodium));
  writeFileSync(
    config,
    `url = "${url}"\npeer-port = ${port}\nnode-port = 0\nkey-files = ["${name}.key"]\npeers = ${JSON.stringify(others.map((other) => other.url))}\n`,
  );
  let manager;
  const reader = definePlugin({
    name: "reader",
    dependencies: { enclave },
    setup: ({ onStart }) =>
      onStart((runtime) => {
        manager = runtime.enclave;
      }),
  });
  const start = async (place, enclaveConfigFile) => {
    const began = performance.now();
    const node = await createNode({
      plugins: [storageLevel, evmPlinth, consensusDev, enclavePlugin, reader],
      options: { dataPath: join(folder, place), ...(enclaveConfigFile && { enclaveConfigFile }) },
      genesis: { config: { chainId: 1337, dev: {} }, alloc: {} },
    });
    await node.start();
    return { node, ms: performance.now() - began };
  };
  const bare = await start(`${name}-bare`);
  await bare.node.stop();
  const { node, ms } = await start(name, config);
  return { node, manager, url, key: pair.publicKey, startMs: ms - bare.ms };
}

async function inParallel(count, run) {
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) await run(next++);
    }),
  );
}

async function perSecond(count, run) {
  const began = performance.now();
  await inParallel(count, run);
  return count / ((performance.now() - began) / 1000);
}

/** From the start of the process until it responds, against a command that does nothing. */
async function measureProcess(folder) {
  const words = ["enclave", "keygen", `--to=${join(folder, "tm")}`];
  await timeUntil([PROGRAM, ...words], "exit");
  const config = join(folder, "enclave.toml");
  const ports = [await freePort(), await freePort()];
  writeFileSync(
    config,
    `url = "http://127.0.0.1:${ports[0]}/"\npeer-port = ${ports[0]}\nnode-port = ${ports[1]}\nkey-files = ["tm.key"]\ndata-path = "data"\n`,
  );
  const ours = [];
  const peer = [];
  for (let round = 0; round < STARTS; round++) {
    ours.push(await timeUntil([PROGRAM, "enclave", `--config-file=${config}`], "Serving"));
    peer.push(await timeUntil([EMPTY_COMMAND, "empty"], "exit"));
  }
  return median(ours) / median(peer);
}

/** Milliseconds until a process has printed a text, which ends it, or has ended by itself. */
async function timeUntil(words, text) {
  const began = performance.now();
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  let shownAt;
  child.stdout.on("data", (part) => {
    output += part;
    if (shownAt !== undefined || !output.includes(text)) return;
    shownAt = performance.now();
    child.kill();
  });
  await new Promise((resolve) => child.on("exit", resolve));
  return (shownAt ?? performance.now()) - began;
}
