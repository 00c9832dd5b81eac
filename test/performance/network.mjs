// `npm run bench network`: the round trip of a message over loopback, and the cost of idle peers.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { definePlugin, loadCrypto } from "@plinth/core";
import { parseEnode } from "@plinth/core/network";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import networkDevp2p from "@plinth/plugin-network-devp2p";
import { isUp, median, processorSeconds, residentMib } from "./measured.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = here("../../cli/bin/plinth.js");
const GENESIS = here("../../examples/minimal-node/genesis.json");
const PROTOCOL = here("../../examples/plugin-protocol/dist/index.js");
const MESSAGES = 2_000;
const WARM_UP = 1_000;
const PEERS = 25;
const IDLE_SECONDS = Number(process.env.BENCH_IDLE_SECONDS ?? 40);
/** Clock ticks of `/proc` in a second, on every Linux that Node.js runs on. */

/** Rows of `[what, value, bound]`. */
export async function benchNetwork() {
  const crypto = await loadCrypto();
  return [...(await measureMessages(crypto)), ...(await measureIdlePeers(crypto))];
}

async function measureMessages(crypto) {
  const waiting = [];
  let peer;
  const toy = definePlugin({
    name: "toy",
    setup: ({ network }) =>
      network.protocol({
        name: "toy",
        version: 1,
        length: 2,
        connected(each) {
          if (each.direction === "outbound") peer = each;
          return {
            received(code, payload) {
              if (code === 0) each.send(1, payload);
              else waiting.shift()?.();
            },
          };
        },
      }),
  });
  const [near, far] = [await startNode(crypto, 1, [toy]), await startNode(crypto, 2, [toy])];
  near.network.addStaticPeer(far.network.localNode.enode);
  while (peer === undefined) await pause(10);
  const times = [];
  for (const size of [100, 1_000]) {
    const payload = new Uint8Array(size).map((_, index) => (index * 31) & 0xff);
    const figures = [];
    for (let n = -WARM_UP; n < MESSAGES; n++) {
      const began = performance.now();
      await new Promise((resolve) => {
        waiting.push(resolve);
        peer.send(0, payload);
      });
      if (n >= 0) figures.push(performance.now() - began);
    }
    figures.sort((a, b) => a - b);
    const name = `message of ${size} bytes and its answer`;
    times.push([`${name}, ms, median`, rounded(median(figures)), 2]);
    times.push([`${name}, ms, 99 of 100`, rounded(figures[Math.floor(MESSAGES * 0.99)]), 2]);
  }
  await near.stop();
  await far.stop();
  return times;
}

/** Two nodes as processes, of the same age: one alone, one with silent peers. */
async function measureIdlePeers(crypto) {
  const [alone, crowded] = [launch(), launch()];
  const peers = [];
  try {
    await Promise.all([alone.up, crowded.up]);
    const enode = parseEnode(/Enode URL (enode:\S+)/.exec(crowded.output())[1]);
    const protocol = (await import(PROTOCOL)).default;
    for (let n = 0; n < PEERS; n++) {
      const peer = await startNode(crypto, n + 1, [protocol]);
      peer.network.addStaticPeer(enode);
      peers.push(peer);
    }
    while (peers.some(({ network }) => network.peers().length === 0)) await pause(50);
    const [without, having] = await Promise.all([idle(alone.pid), idle(crowded.pid)]);
    return [
      [`memory of ${PEERS} idle peers, MiB`, having.mib - without.mib, 20],
      [`processor for ${PEERS} idle peers, %`, rounded(having.percent - without.percent), 2],
    ];
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
    await Promise.all([alone.stop(), crowded.stop()]);
  }
}

function launch() {
  const data = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  const config = join(data, "plinth.toml");
  writeFileSync(config, `plugins = [${JSON.stringify(PROTOCOL)}]\n`);
  const words = [
    PROGRAM,
    `--genesis-file=${GENESIS}`,
    `--config-file=${config}`,
    `--data-path=${data}`,
    "--p2p-enabled=true",
    "--p2p-interface=127.0.0.1",
    "--p2p-port=0",
    "--nat-method=NONE",
    "--discovery-enabled=false",
    "--remote-connections-limit-enabled=false",
  ];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  return {
    pid: child.pid,
    up: isUp(child),
    output: () => output,
    async stop() {
      child.kill();
      await closed;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function idle(pid) {
  await pause(5_000);
  const before = processorSeconds(pid);
  await pause(IDLE_SECONDS * 1000);
  const percent = ((processorSeconds(pid) - before) / IDLE_SECONDS) * 100;
  return { mib: residentMib(pid), percent };
}

async function startNode(crypto, seed, plugins) {
  const privateKey = new Uint8Array(32).fill(seed);
  const publicKey = crypto.publicKeyOf(privateKey);
  const nodeKey = {
    publicKey,
    address: crypto.addressOf(publicKey),
    sign: async (hash) => crypto.sign(Buffer.from(hash.slice(2), "hex"), privateKey),
    agree: async (other) => crypto.agree(privateKey, other),
  };
  const keys = definePlugin({
    name: "keys-bench",
    setup: (node) => node.keys.driver({ name: "localfile", open: async () => nodeKey }),
  });
  const node = await createNode({
    plugins: [networkDevp2p, consensusDev, evmPlinth, keys, ...plugins],
    options: {
      keyValueStorage: "memory",
      p2pInterface: "127.0.0.1",
      p2pPort: 0,
      natMethod: "NONE",
      discoveryEnabled: false,
    },
    genesis: { config: { chainId: 1, dev: {} } },
  });
  await node.start();
  return node;
}

function rounded(value) {
  return Math.round(value * 100) / 100;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
