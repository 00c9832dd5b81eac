import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Configuration } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { describeUnusedFiles } from "./data-folder.js";

describe("files in the data folder", () => {
  it("that Besu reads and this node does not are reported with the reason", async () => {
    await using folder = await createFolder([
      "permissions_config.toml",
      "static-nodes.json",
      "key",
    ]);

    expect(describeUnusedFiles(aConfig({ dataPath: folder.path, p2pEnabled: false }))).toEqual([
      expect.stringContaining("static-nodes.json is not used: --p2p-enabled is false"),
      expect.stringContaining(
        "permissions_config.toml is not used: neither --permissions-accounts-config-file-enabled",
      ),
    ]);
  });

  it("that are read are not reported", async () => {
    await using folder = await createFolder(["static-nodes.json", "txpool.dump"]);
    const config = { dataPath: folder.path, p2pEnabled: true, txPoolEnableSaveRestore: true };

    expect(describeUnusedFiles(aConfig(config))).toEqual([]);
  });
});

function aConfig(values: Readonly<Record<string, unknown>>): Configuration {
  const entries = Object.entries(values).map(
    ([key, value]) => [key, { value, isSet: true }] as const,
  );
  return Configuration.restore(new Map(entries));
}

async function createFolder(names: readonly string[]) {
  const path = await mkdtemp(join(tmpdir(), "plinth-besu-"));
  for (const name of names) await writeFile(join(path, name), "");
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
