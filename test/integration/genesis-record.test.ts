import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { createNode } from "@plinth/node";
import storageLevel from "@plinth/plugin-storage-level";
import { devChain, recordLogs } from "@plinth/testing";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

it("starts a node that cannot record what it found in a large genesis file", async () => {
  using folder = temporaryFolder();
  const genesisFile = folder.file("genesis.json");
  const comment = "x".repeat(5 * 2 ** 20);
  writeFileSync(genesisFile, JSON.stringify({ config: { chainId: 7, dev: {} }, comment }));
  utimesSync(genesisFile, 1_700_000_000, 1_700_000_000);
  mkdirSync(folder.file("data/genesis-file.json/in-the-way"), { recursive: true });
  const logs = recordLogs();
  const options = { keyValueStorage: "leveldb", dataPath: folder.file("data"), genesisFile };
  const node = await createNode({ plugins: [storageLevel, ...devChain], options, logs });
  await node.start();
  await node.stop();

  expect(logs.entries.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^what was found in the genesis file cannot be recorded, /),
  );
});
