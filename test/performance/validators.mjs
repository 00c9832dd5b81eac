// Four QBFT validators on one machine, and the times of their blocks.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { WebSocket } from "ws";
import { freePort, startNode } from "./node-process.mjs";

/** Starts four validators on a chain with accounts; `optionsOf` has more options of each. */
export async function startValidators(folder, { alloc, optionsOf = () => [] }) {
  const crypto = await loadCrypto();
  const keys = [1, 2, 3, 4].map((number) => `0x${number.toString(16).padStart(64, "0")}`);
  const publicKeys = keys.map((key) => crypto.publicKeyOf(hexToBytes(key)));
  const ports = [];
  for (const _ of keys) ports.push(await freePort());
  const enodes = publicKeys.map(
    (key, index) => `enode://${toHex(key).slice(2)}@127.0.0.1:${ports[index]}`,
  );
  const genesis = {
    config: {
      chainId: 1337,
      londonBlock: 0,
      zeroBaseFee: true,
      qbft: { requestTimeoutSeconds: 4 },
    },
    difficulty: "0x1",
    gasLimit: "0x1fffffffffffff",
    extraData: toHex(qbftExtraData.encodeGenesis(publicKeys.map((key) => crypto.addressOf(key)))),
    alloc,
  };
  writeFileSync(join(folder, "genesis.json"), JSON.stringify(genesis));
  writeFileSync(join(folder, "static-nodes.json"), JSON.stringify(enodes));
  const nodes = [];
  for (const [index, key] of keys.entries()) {
    writeFileSync(join(folder, `key-${index}`), key);
    const words = [
      `--genesis-file=${join(folder, "genesis.json")}`,
      `--data-path=${join(folder, `data-${index}`)}`,
      `--node-private-key-file=${join(folder, `key-${index}`)}`,
      `--static-nodes-file=${join(folder, "static-nodes.json")}`,
      "--min-gas-price=0",
      ...optionsOf(index),
    ];
    nodes.push(await startNode(words, ports[index]));
  }
  return nodes;
}

/** Milliseconds between the `newHeads` of a node, in ascending order. */
export async function measureGaps(node, count) {
  const socket = new WebSocket(node.wsUrl);
  await once(socket, "open");
  socket.send(
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }),
  );
  const heads = [];
  while (heads.length <= count) {
    const [text] = await once(socket, "message");
    const { params } = JSON.parse(text);
    if (params !== undefined) heads.push({ at: performance.now(), head: params.result });
  }
  socket.terminate();
  const gaps = heads
    .slice(1)
    .map(({ at, head }, index) => ({ ms: Math.round(at - heads[index].at), head }));
  gaps.sort((a, b) => a.ms - b.ms);
  for (const { ms, head } of gaps.slice(-3)) {
    const { round } = qbftExtraData.decode(hexToBytes(head.extraData));
    console.log(`  block ${Number(head.number)} came after ${ms} ms, in round ${round}`);
  }
  return gaps.map(({ ms }) => ms);
}
