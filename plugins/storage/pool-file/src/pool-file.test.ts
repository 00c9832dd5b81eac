import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hexToBytes } from "@plinth/core";
import { createTempFolder, createTestNode, signTransaction, transfer } from "@plinth/testing";
import { expect, it } from "vitest";
import poolFile from "./index.js";

it("saves the pool at stop and restores it at the next start, in Besu's format", async () => {
  await using folder = await createTempFolder();
  const txPoolSaveFile = join(folder.path, "pool.dump");
  const hashes = [];
  {
    await using node = await start(txPoolSaveFile);
    for (const [nonce, origin] of (["local", "remote"] as const).entries()) {
      const raw = hexToBytes(await signTransaction(transfer({ nonce })));
      hashes.push((await node.node.pool.submit(raw, { origin })).hash);
    }
  }
  const lines = readFileSync(txPoolSaveFile, "utf8").trim().split("\n");

  await using other = await start(txPoolSaveFile);

  expect(lines.map((line) => line[0])).toEqual(["l", "r"]);
  const entries = other.node.pool.entries();
  expect(entries.map(({ transaction, origin }) => [transaction.hash, origin])).toEqual([
    [hashes[0], "local"],
    [hashes[1], "remote"],
  ]);
  expect(existsSync(txPoolSaveFile)).toBe(false);
});

it("prevents the start at an invalid line, and keeps the file", async () => {
  await using folder = await createTempFolder();
  const txPoolSaveFile = join(folder.path, "pool.dump");
  writeFileSync(txPoolSaveFile, "lnot base64 of a transaction\n");

  await expect(start(txPoolSaveFile)).rejects.toThrow(`${txPoolSaveFile}, line 1`);

  expect(existsSync(txPoolSaveFile)).toBe(true);
});

it("is off by default", async () => {
  await using folder = await createTempFolder();
  {
    await using _ = await createTestNode({
      plugins: [poolFile],
      options: { dataPath: folder.path },
    });
  }

  expect(existsSync(join(folder.path, "txpool.dump"))).toBe(false);
});

/** A node that produces no block while the test runs. */
function start(txPoolSaveFile: string) {
  return createTestNode({
    plugins: [poolFile],
    options: { txPoolEnableSaveRestore: true, txPoolSaveFile, devPeriodSeconds: 3600 },
  });
}
