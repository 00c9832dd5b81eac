import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStorageDriver } from "@plinth/core";
import { expect, it } from "vitest";
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
