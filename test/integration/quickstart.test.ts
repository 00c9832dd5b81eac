import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing } from "../support/conformance.js";
import { freePort } from "../support/free-port.js";
import { type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const QUICKSTART = join(CONFORMANCE, "genesis/quickstart");
const VALIDATORS = [1, 2, 3, 4];
const TIME_LIMIT_MS = 120_000;

describe.skipIf(isConformanceMissing)("the quickstart network of Besu", () => {
  it(
    "runs as four validators with its genesis file, keys and configuration",
    async () => {
      using folder = temporaryFolder();
      await using network = await startNetwork(folder.path);
      const { nodes } = network;

      await reachBlock(nodes, 2);

      const hashes = await Promise.all(
        nodes.map(async (node) => {
          const block = await node.rpc("eth_getBlockByNumber", ["0x2", false]);
          return (block as { hash: string }).hash;
        }),
      );
      expect(new Set(hashes).size).toBe(1);
      expect(await nodes[0]?.rpc("net_peerCount")).toBe("0x3");
      expect(nodes[0]?.output()).toContain(
        "--permissions-nodes-config-file has been ignored because --permissions-nodes-config-file-enabled was not defined",
      );
    },
    TIME_LIMIT_MS,
  );
});

async function startNetwork(folder: string) {
  const planned = await planValidators();
  const nodes = await Promise.all(
    planned.map(({ key, port }, index) => {
      const others = planned.filter((_, other) => other !== index).map(({ enode }) => enode);
      return startValidator({ home: join(folder, `validator${index + 1}`), key, port, others });
    }),
  );
  return {
    nodes,
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

/** The keys of the validators, each with a free port and its enode URL on this machine. */
async function planValidators() {
  const crypto = await loadCrypto();
  const planned: { key: string; port: number; enode: string }[] = [];
  for (const number of VALIDATORS) {
    const file = join(QUICKSTART, `networkFiles/validator${number}/keys/key`);
    const key = readFileSync(file, "utf8").trim();
    const port = await freePort();
    const id = toHex(crypto.publicKeyOf(hexToBytes(key))).slice(2);
    planned.push({ key, port, enode: `enode://${id}@127.0.0.1:${port}` });
  }
  return planned;
}

/** The settings of the file, except for addresses and ports, and the list of allowed nodes. */
function startValidator(settings: {
  readonly home: string;
  readonly key: string;
  readonly port: number;
  readonly others: readonly string[];
}): Promise<RunningNode> {
  const { home, key, port, others } = settings;
  mkdirSync(join(home, "data"), { recursive: true });
  writeFileSync(join(home, "data/key"), key);
  writeFileSync(join(home, "static-nodes.json"), JSON.stringify(others));
  const words = [
    `--config-file=${join(QUICKSTART, "config.toml")}`,
    `--genesis-file=${join(QUICKSTART, "ibft2Genesis.json")}`,
    `--static-nodes-file=${join(home, "static-nodes.json")}`,
    "--bootnodes=",
    "--permissions-nodes-config-file-enabled=false",
    `--p2p-port=${port}`,
    "--p2p-interface=127.0.0.1",
    "--rpc-http-host=127.0.0.1",
    "--rpc-ws-host=127.0.0.1",
    "--graphql-http-host=127.0.0.1",
    "--metrics-host=127.0.0.1",
    "--metrics-port=0",
  ];
  return startNode(words, { folder: home, environment: { PLINTH_P2P_ENABLED: "true" } });
}

async function reachBlock(nodes: readonly RunningNode[], number: number): Promise<void> {
  const heights = async () =>
    Promise.all(nodes.map(async (node) => Number(await node.rpc("eth_blockNumber"))));
  while (Math.min(...(await heights())) < number) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
