import { EMPTY_ROOT, toHex } from "@plinth/core";
import { SnapshotWriter } from "@plinth/kit-snapshot";
import { createTempFolder, createTestNode } from "@plinth/testing";
import { expect, it } from "vitest";
import cmdSnapshot from "./index.js";

const HASH = toHex(new Uint8Array(32).fill(7));

it("shows what a snapshot contains", async () => {
  await using folder = await createTempFolder();
  await using node = await createTestNode({ plugins: [cmdSnapshot] });
  const path = `${folder.path}/snapshot`;
  {
    await using writer = await SnapshotWriter.create(path);
    await writer.add({ kind: "headers", firstBlock: 0n, count: 3 }, new Uint8Array(1000));
    const block = { number: 2n, hash: HASH, stateRoot: EMPTY_ROOT };
    await writer.complete({ chainId: 1337n, genesisHash: HASH, block });
  }

  const { stdout: output } = await node.command("snapshot inspect", { args: [path] });

  expect(output).toContain(`Snapshot of block 2 (${HASH})`);
  expect(output).toMatch(/Headers of blocks 0 to 2: 1 file, 0\.001 MB/);
  expect(output).toContain("Codes: none");
});

it("is rejected if there is none", async () => {
  await using folder = await createTempFolder();
  await using node = await createTestNode({ plugins: [cmdSnapshot] });

  await expect(node.command("snapshot inspect", { args: [folder.path] })).rejects.toMatchObject({
    code: "SNAPSHOT_UNREADABLE",
  });
});
