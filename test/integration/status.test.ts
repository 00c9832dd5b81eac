import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { type RunningNode, runProgram, startNode } from "../support/program.js";
import { openProgramHost, type ProgramHost } from "../support/program-host.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const NODE = ["--profile=dev", "--data-path=data"];

let host: ProgramHost;
beforeAll(() => {
  host = openProgramHost();
});
afterAll(() => host[Symbol.asyncDispose]());

describe("plinth status of a node", () => {
  let folder: TemporaryFolder;
  let node: RunningNode;
  beforeAll(async () => {
    folder = temporaryFolder();
    node = await startNode(NODE, { folder: folder.path });
  });
  afterAll(async () => {
    await node.stop();
    folder[Symbol.dispose]();
  });

  it("finds it by its data folder and reports that nothing is wrong", async () => {
    const { code, stdout } = await status([], folder.path, runProgram);

    expect(code).toBe(0);
    for (const text of [
      node.url,
      "plinth/v",
      "Chain     1337",
      "Head      block 0, ",
      "Pool      0 transactions",
      "Peers     no network",
      "rpc-eth",
      "Health    up",
      "No problems.",
    ]) {
      expect(stdout).toContain(text);
    }
  });

  it("reports that the last block is old", async () => {
    // The profile's first block has the time of its start.
    await untilOlder(node, 1);
    const { code, stdout } = await status(["--max-head-age=1"], folder.path);

    expect(code).toBe(1);
    expect(stdout).toMatch(/Problems:\n- block 0 is \d+ s old, more than 1 s/);
  });
});

describe("plinth status", () => {
  it("reports which plugin is degraded, as JSON on request", async () => {
    using folder = temporaryFolder();
    writeFileSync(
      folder.file("ill.mjs"),
      `import { definePlugin } from "@plinth/core";
       export default definePlugin({ name: "ill", setup({ health }) {
         health.check("disk", () => ({ status: "degraded", detail: "2 GiB are left" }));
       } });`,
    );
    writeFileSync(folder.file("plinth.toml"), 'plugins = ["./ill.mjs"]\n');
    const words = [...NODE, "--config-file=plinth.toml"];
    await using _ = await startNode(words, { folder: folder.path });

    const screen = await status([], folder.path);
    const json = await status(["--json"], folder.path);

    expect([screen.code, json.code]).toEqual([1, 1]);
    expect(screen.stdout).toContain("- ill is degraded: disk: 2 GiB are left");
    expect(JSON.parse(json.stdout)).toMatchObject({
      chainId: "0x539",
      health: { status: "degraded" },
      troubles: ["ill is degraded: disk: 2 GiB are left"],
    });
  });

  it("shows what every node reports if the namespace is not enabled", async () => {
    using folder = temporaryFolder();
    const words = [...NODE, "--rpc-http-api=ETH,WEB3"];
    await using _ = await startNode(words, { folder: folder.path });

    const { code, stdout } = await status([], folder.path);

    expect(code).toBe(0);
    expect(stdout).toContain("Head      block 0, ");
    expect(stdout).toContain("Pool      not reported; add PLINTH to --rpc-http-api of the node");
    expect(stdout).toContain("Health    ready");
    expect(stdout).toContain("No problems in what eth_ and net_ show.");
    expect(stdout).toContain(
      "Not visible: whether the head block is late, peers, transaction pool",
    );
  });

  it("judges another node by its last blocks, and reports it by its exit code", async () => {
    using folder = temporaryFolder();
    await using server = await startOther({ age: 65, period: 2 });

    const { code, stdout } = await status([`--url=${server.url}`], folder.path);

    expect(code).toBe(1);
    expect(stdout).toMatch(/- block 20 is 6\d s old; the previous blocks were at most 2 s apart/);
    expect(stdout).toContain("Peers     7");
    expect(stdout).toContain("Version   not reported");
  });

  it("judges another node that lacks old blocks by those that it has", async () => {
    using folder = temporaryFolder();
    await using server = await startOther({ age: 65, period: 2, first: 16 });

    const { code, stdout } = await status([`--url=${server.url}`], folder.path);

    expect(code).toBe(1);
    expect(stdout).toContain("the previous blocks were at most 2 s apart");
  });

  it("reports that a stopped node does not respond", async () => {
    using folder = temporaryFolder();

    const { code, stdout } = await status(
      [`--url=http://127.0.0.1:${await freePort()}`],
      folder.path,
    );

    expect(code).toBe(2);
    expect(stdout).toContain("Health    silent");
    expect(stdout).toContain("ECONNREFUSED");
  });

  it("reports that something else responds there", async () => {
    using folder = temporaryFolder();
    const server = createServer((_, response) => response.writeHead(404).end("<html>"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;

    const { code, stdout } = await status([`--url=http://127.0.0.1:${port}`], folder.path);
    server.close();

    expect(code).toBe(2);
    expect(stdout).toContain("the response is not from a node: HTTP 404");
  });

  it("rejects an invalid URL", async () => {
    using folder = temporaryFolder();

    const { code, stderr } = await status(["--url=localhost:8545"], folder.path);

    expect(code).toBe(2);
    expect(stderr).toContain(`Invalid value for option '--url': "localhost:8545"`);
  });
});

interface Other {
  readonly age: number;
  readonly period: number;
  /** The oldest available block. */
  readonly first?: number;
}

/** A server of `eth_` and `net_` alone. */
async function startOther({ age, period, first = 0 }: Other) {
  const now = Math.floor(Date.now() / 1000);
  const blockAt = (number: number) => ({
    number: `0x${number.toString(16)}`,
    hash: `0x${"ab".repeat(32)}`,
    timestamp: `0x${(now - age - (20 - number) * period).toString(16)}`,
    transactions: [],
  });
  const results: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_getBlockByNumber: ([id]) => {
      const number = id === "latest" ? 20 : Number(id);
      return number < first ? null : blockAt(number);
    },
    eth_chainId: () => "0x1",
    eth_syncing: () => false,
    net_peerCount: () => "0x7",
  };
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return response.writeHead(200).end("{}");
    const { method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const found = results[method];
    const answer = found
      ? { result: found(params) }
      : { error: { code: -32601, message: "Method not found" } };
    return response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

function status(words: readonly string[], folder: string, program = host.run) {
  return program(["--data-path=data", "status", ...words], { folder });
}

/** Waits until the head is older than this many seconds, by the clock of the node. */
async function untilOlder(
  { rpc }: { rpc(method: string): Promise<unknown> },
  seconds: number,
): Promise<void> {
  while (Object(await rpc("plinth_status")).headAge <= seconds) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
