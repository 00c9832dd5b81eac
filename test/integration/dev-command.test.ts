import { once } from "node:events";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type RunningNode, startNode } from "../support/program.js";
import { openProgramHost, type ProgramHost } from "../support/program-host.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const FIRST = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const OTHER = "0x00000000000000000000000000000000000000b0";

describe("a node of plinth dev", () => {
  let folder: TemporaryFolder;
  let node: RunningNode;
  beforeAll(async () => {
    folder = temporaryFolder();
    node = await startNode(["dev"], { folder: folder.path });
  });
  afterAll(async () => {
    await node.stop();
    folder[Symbol.dispose]();
  });

  it("signs for the listed accounts, and has the methods that tools need", async () => {
    expect(await node.rpc("eth_accounts")).toHaveLength(13);
    const sent = await node.rpc("eth_sendTransaction", [{ from: FIRST, to: OTHER, value: "0x1" }]);
    expect(await node.rpc("eth_getTransactionReceipt", [sent])).toMatchObject({ status: "0x1" });
    expect(await node.rpc("web3_clientVersion")).toMatch(/^anvil\/v1\./);
    expect(await node.rpc("debug_traceTransaction", [sent])).toMatchObject({ failed: false });
    expect(await node.rpc("trace_transaction", [sent])).toHaveLength(1);
    expect(await node.rpc("txpool_content")).toMatchObject({ pending: {} });
  });

  it("serves WebSockets on the HTTP port too", async () => {
    for (const url of [node.url.replace("http", "ws"), node.wsUrl]) {
      const socket = new WebSocket(url);
      await once(socket, "open");
      socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
      const [message] = await once(socket, "message");
      expect(JSON.parse(String(message))).toMatchObject({ id: 1, result: expect.any(String) });
      socket.terminate();
    }
  });

  it("lets pages of this machine open WebSockets on that port, and no others", async () => {
    const socket = new WebSocket(node.url.replace("http", "ws"), {
      origin: "https://evil.example",
    });

    const [error] = await once(socket, "error");
    expect(String(error)).toContain("403");
    for (const origin of ["http://localhost:5173", "http://127.0.0.1:3000", "http://[::1]:1"]) {
      const local = new WebSocket(node.url.replace("http", "ws"), { origin });
      await once(local, "open");
      local.terminate();
    }
  });

  it("is reachable for containers by their host's name, and by the IPv6 address", async () => {
    expect(await statusFor(node.url, "host.docker.internal")).toBe(200);
    expect(await statusFor(node.url, "[::1]:8545")).toBe(200);
    expect(await statusFor(node.url, "evil.example")).toBe(403);
  });
});

describe("plinth dev", () => {
  it("is the chain of --profile=dev, where accounts are locked", async () => {
    using folder = temporaryFolder();
    const first = await startNode(["dev"], { folder: folder.path });
    await first.rpc("eth_sendTransaction", [{ from: FIRST, to: OTHER, value: "0x1" }]);
    await first.stop();

    await using node = await startNode(["--profile=dev"], { folder: folder.path });

    const begun = `a new chain in ${join(folder.path, "data")}`;
    const continued = `continued at block 1 in ${join(folder.path, "data")} · --fresh starts over`;
    expect(first.output()).toContain(begun);
    expect(node.output()).toContain(continued);
    expect(await node.rpc("eth_blockNumber")).toBe("0x1");
    expect(await node.rpc("eth_accounts")).toEqual([]);
  });

  it("accepts its own option names", async () => {
    using folder = temporaryFolder();
    const words = ["dev", "--accounts=2", "--balance", "5", "--chain-id", "31337"];
    const more = ["--hardfork=cancun", "--gas-limit=12000000", "--no-mining", "--host=127.0.0.1"];
    await using node = await startNode([...words, ...more], { folder: folder.path });

    expect(await node.rpc("eth_accounts")).toHaveLength(2);
    expect(await node.rpc("eth_getBalance", [FIRST, "latest"])).toBe("0x4563918244f40000");
    expect(await node.rpc("eth_chainId")).toBe("0x7a69");
    const block = await node.rpc("eth_getBlockByNumber", ["latest", false]);
    expect(block).toMatchObject({ gasLimit: "0xb71b00", blobGasUsed: "0x0" });
    expect(block).not.toHaveProperty("requestsHash");
    await node.rpc("eth_sendTransaction", [{ from: FIRST, to: OTHER }]);
    expect(await node.rpc("eth_blockNumber")).toBe("0x0");
  });

  it("accepts the option names of Anvil", async () => {
    using folder = temporaryFolder();
    const words = ["dev", "-a", "2", "--base-fee=7", "--timestamp", "1000000000", "--no-mine"];
    const more = ["--order", "fifo", "--steps-tracing", "--auto-impersonate", "--gas-price=5"];
    const path = ["--derivation-path", "m/44'/60'/0'/0/", "--code-size-limit=30000"];
    await using node = await startNode([...words, ...more, ...path], { folder: folder.path });

    expect(await node.rpc("eth_accounts")).toHaveLength(2);
    expect(await node.rpc("eth_getBlockByNumber", ["0x0", false])).toMatchObject({
      baseFeePerGas: "0x7",
      timestamp: "0x3b9aca00",
    });
    const send = (from: string, value: string, fee: string) =>
      node.rpc("eth_sendTransaction", [{ from, to: OTHER, value, gas: "0x5208", gasPrice: fee }]);
    const [, second] = Object(await node.rpc("eth_accounts"));
    const sent = [await send(FIRST, "0x9", "0x3b9aca00"), await send(second, "0x1", "0x77359400")];
    await node.rpc("evm_mine");
    const block = await node.rpc("eth_getBlockByNumber", ["latest", false]);
    expect(block).toMatchObject({ baseFeePerGas: "0x7", transactions: sent });
    // An account without a key, with the ether that it was sent.
    await node.rpc("anvil_setBalance", [OTHER, "0xde0b6b3a7640000"]);
    expect(await send(OTHER, "0x1", "0x3b9aca00")).toMatch(/^0x/);
  });
});

describe("plinth dev that starts no node", () => {
  let host: ProgramHost;
  beforeAll(() => {
    host = openProgramHost();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it("has a short help with examples", async () => {
    using folder = temporaryFolder();

    const { code, stdout } = await host.run(["dev", "--help"], { folder: folder.path });

    expect(code).toBe(0);
    expect(stdout.split("\n").length).toBeLessThan(70);
    for (const name of ["port", "host", "mnemonic", "block-time", "no-mining", "hardfork"]) {
      expect(stdout).toContain(`--${name}`);
    }
    expect(stdout).toContain("Examples:");
  });

  it.each([
    ["--fork-url=127.0.0.1:1", "expected an address that begins with http:// or https://"],
    ["--fork-header=Authorization", "expected NAME: VALUE"],
    ["--fork-transaction-hash=0x1", "a fork begins after a whole block"],
    ["--host=0.0.0.0", "listens on loopback only"],
    ["--hardfrok=osaka", "Possible solutions: --hardfork"],
    ["--number=100001", "--dev-number"],
    ["--mixed-mining", "--mixed-mining is not supported: --block-time produces blocks by time"],
  ])("rejects %s with the right way", async (word, text) => {
    using folder = temporaryFolder();

    const { code, stderr } = await host.run(["dev", word], { folder: folder.path });

    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });
});

/** The status of a call with a host name. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  const sent = request(url, { method: "POST", headers: { host } });
  sent.end('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}');
  const [response] = await once(sent, "response");
  response.resume();
  return response.statusCode;
}
