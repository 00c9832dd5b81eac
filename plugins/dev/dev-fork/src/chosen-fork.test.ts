import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStorageDriver } from "@plinth/core";
import { expect, it } from "vitest";
import { chooseBlock } from "./choose-block.js";
import { ChosenFork } from "./chosen-fork.js";
import { Remote } from "./remote/remote.js";

it("names a node that does not describe its block in time", async () => {
  const dataPath = mkdtempSync(join(tmpdir(), "plinth-fork-"));
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const remote = new Remote({ url, headers: new Map() });
  const fork = new ChosenFork({ remote, number: undefined, chainId: undefined, limitMs: 50 });
  try {
    const storage = createMemoryStorageDriver();
    const event = { dataPath, isFresh: false, isOffline: false, storage };
    await expect(fork.open(event)).rejects.toMatchObject({
      code: "FORK_UNREACHABLE",
      message: `${url}: it did not describe the block within 50 ms`,
    });
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(dataPath, { recursive: true });
  }
});

it("does not take a chain id that a genesis file cannot have", async () => {
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: `0x${"f".repeat(20)}` }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const remote = new Remote({ url, headers: new Map() });
  const choice = { number: undefined, chainId: undefined };
  try {
    await expect(chooseBlock(remote, choice, new AbortController().signal)).rejects.toMatchObject({
      code: "FORK_REFUSED",
      message: expect.stringContaining("has the chain id 1208925819614629174706175: a development"),
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
