import "../support/flat-states.js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../network/network-node.js";
import { PROGRAM, type RunningNode, runProgram, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const FIRST = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const SECOND = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
/** Stores 1 in slot 0 when it is created, and adds 1 to it when it is called. */
const COUNTER = "0x60016000556960005460010160005500600052600a6016f3";
const TRANSACTIONS = 20;
const LIMIT_MS = 60_000;

const slotOf = (node: RunningNode, address: string) =>
  node.rpc("eth_getStorageAt", [address, "0x0", "latest"]);

async function deploy(node: RunningNode): Promise<string> {
  const hash = await node.rpc("eth_sendTransaction", [{ from: FIRST, data: COUNTER }]);
  return Object(await node.rpc("eth_getTransactionReceipt", [hash])).contractAddress;
}

describe("a fork of a QBFT network", () => {
  let folder: TemporaryFolder;
  let network: RunningNode;
  beforeAll(async () => {
    folder = temporaryFolder();
    const flags = ["--to=network", "--engine=qbft", "--nodes=1", "--base-port=0", "--dev-accounts"];
    await runProgram(["genesis", "create", ...flags], { folder: folder.path });
    const files = [
      `--genesis-file=${folder.file("network/genesis.json")}`,
      `--node-private-key-file=${folder.file("network/node1/key")}`,
    ];
    const words = [...files, "--rpc-http-enabled", "--rpc-http-api=ETH,DEBUG"];
    network = await startNode(words, { folder: folder.path });
    const hasBlocks = async () => Number(await network.rpc("eth_blockNumber")) > 1;
    await until(hasBlocks, LIMIT_MS);
  });
  afterAll(async () => {
    await network.stop();
    folder[Symbol.dispose]();
  });

  it("has its state and continues without it, also after a restart", async () => {
    using own = temporaryFolder();
    const words = ["dev", `--fork-url=${network.url}`];
    const forked = await startNode(words, { folder: own.path });
    const { forkConfig } = Object(await forked.rpc("anvil_nodeInfo"));
    const number = `0x${Number(forkConfig.forkBlockNumber).toString(16)}`;
    const block = Object(await forked.rpc("eth_getBlockByNumber", [number, true]));
    expect(block).toEqual(await network.rpc("eth_getBlockByNumber", [number, true]));
    expect(await forked.rpc("eth_getProof", [SECOND, [], number])).toEqual(
      await network.rpc("eth_getProof", [SECOND, [], number]),
    );
    expect(await forked.rpc("eth_getBlockByNumber", ["0x0", false])).toEqual(
      await network.rpc("eth_getBlockByNumber", ["0x0", false]),
    );
    await forked.stop();

    const offline = await startNode(["dev"], { folder: own.path });
    const counter = await deploy(offline);
    for (let count = 0; count < TRANSACTIONS; count++) {
      await offline.rpc("eth_sendTransaction", [{ from: FIRST, to: counter }]);
    }
    const { storageProof } = Object(
      await offline.rpc("eth_getProof", [counter, ["0x0"], "latest"]),
    );
    expect(Number(storageProof[0].value)).toBe(TRANSACTIONS + 1);
    expect(await offline.rpc("eth_chainId")).toBe(await network.rpc("eth_chainId"));
    await offline.stop();

    const verified = await runProgram(["--profile=dev-tools", "db", "verify", "--full"], {
      folder: own.path,
      environment: { PLINTH_DATA_PATH: own.file("data") },
    });
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining("Intact") });
  });
});

describe("a fork of a development chain", () => {
  let folder: TemporaryFolder;
  let remote: RunningNode;
  let counter: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    remote = await startNode(["dev"], { folder: folder.path });
    counter = await deploy(remote);
    await remote.rpc("eth_sendTransaction", [{ from: FIRST, to: counter }]);
  });
  afterAll(async () => {
    await remote.stop();
    folder[Symbol.dispose]();
  });

  it("has its hardfork, its contracts, and the listed accounts with their keys", async () => {
    using own = temporaryFolder();
    await using node = await startNode(["dev", "-f", remote.url], { folder: own.path });

    expect(await node.rpc("eth_accounts")).toEqual(await remote.rpc("eth_accounts"));
    expect(await node.rpc("anvil_nodeInfo")).toMatchObject({ hardFork: "osaka" });
    expect(node.output()).toContain(`osaka · a fork of ${remote.url} at block 2 · continued at`);
    await node.rpc("eth_sendTransaction", [{ from: FIRST, to: counter }]);
    expect(Number(await slotOf(node, counter))).toBe(3);
    expect(Number(await slotOf(remote, counter))).toBe(2);
    // What Foundry asks before it sends: blocks before the fork are not in the range.
    expect(await node.rpc("eth_feeHistory", ["0xa", "latest", [20]])).toMatchObject({
      oldestBlock: "0x2",
    });
    expect(await node.rpc("eth_feeHistory", ["0xa", "latest", []])).toHaveProperty("reward");
  });

  it("does not replace a chain that is there", async () => {
    using own = temporaryFolder();
    const first = await startNode(["dev"], { folder: own.path });
    const address = await deploy(first);
    await first.stop();

    const environment = { PLINTH_DATA_PATH: own.file("data") };
    const refused = await runProgram(["dev", `--fork-url=${remote.url}`], {
      folder: own.path,
      environment,
    });

    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("has a chain that is not this fork, which was not changed");
    await using again = await startNode(["dev"], { folder: own.path });
    expect(Number(await slotOf(again, address))).toBe(1);
  });

  it("is removed by --fresh", async () => {
    using own = temporaryFolder();
    const forked = await startNode(["dev", `--fork-url=${remote.url}`], { folder: own.path });
    await forked.stop();
    expect(existsSync(own.file("data/fork.json"))).toBe(true);

    const fresh = await startNode(["dev", "--fresh"], { folder: own.path });
    expect(await fresh.rpc("eth_blockNumber")).toBe("0x0");
    await fresh.stop();

    expect(existsSync(own.file("data/fork.json"))).toBe(false);
  });

  it("continues after a kill in the middle, with the parts that were complete", async () => {
    using own = temporaryFolder();
    using relay = await relayTo(remote.url);
    const environment = { PLINTH_DATA_PATH: own.file("data"), PLINTH_RPC_HTTP_PORT: "0" };
    const words = ["dev", `--fork-url=${relay.url}`, "--rpc-ws-enabled=false"];
    const held = relay.holdAt("debug_accountRange", 8);
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      env: { ...process.env, ...environment },
    });
    await held;
    child.kill("SIGKILL");
    await once(child, "close");
    const before = relay.starts.length;
    relay.release();

    const without = await runProgram(["dev"], { folder: own.path, environment });
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("--fork-url") });
    await using node = await startNode(words, { folder: own.path });

    expect(Number(await slotOf(node, counter))).toBe(2);
    // The first one finds out which client it is.
    expect(relay.starts.slice(before)[1]).toBe(`0x6${"0".repeat(63)}`);
  });
});

/** Passes requests on to a node, and can hold one of them. */
async function relayTo(url: string) {
  /** The first keys of the pages of accounts that were requested. */
  const starts: unknown[] = [];
  let held = { method: "", count: 0, reached: () => {} };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const { method, params } = JSON.parse(body);
    if (method === "debug_accountRange") starts.push(params[2]);
    if (method === held.method && starts.length === held.count) {
      held.reached();
      return;
    }
    const forwarded = await fetch(url, { method: "POST", body });
    response.end(Buffer.from(await forwarded.arrayBuffer()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    starts,
    /** Resolves when that many requests of a method have come; the last one gets no response. */
    holdAt: (method: string, count: number) =>
      new Promise<void>((reached) => {
        held = { method, count, reached };
      }),
    release() {
      held = { method: "", count: 0, reached: () => {} };
    },
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
