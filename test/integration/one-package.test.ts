import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A storage driver, from the contract alone. */
const DRIVER = `
import { createMemoryStorageDriver, definePlugin } from "@plinth/core";

export default definePlugin({
  name: "storage-mine",
  setup({ storage }) {
    storage.driver({ ...createMemoryStorageDriver(), name: "mine" });
  },
});
`;

/** A namespace, from the contract alone. */
const NAMESPACE = `
import { definePlugin, method, t } from "@plinth/core";

export default definePlugin({
  name: "rpc-mine",
  setup({ rpc }) {
    rpc.namespace("mine", {
      head: method({
        summary: "Returns the number of the last block.",
        result: t.quantity,
        handle: (_, { chain }) => chain.blocks.head().number,
      }),
    });
  },
});
`;

// `third-party-engine.test.ts` does the same with an engine, `made-up-fork.test.ts` with a fork.
describe("one package without any other file provides", () => {
  it.each([
    ["a storage driver", DRIVER, ["--key-value-storage=mine"], "eth_blockNumber"],
    ["a namespace", NAMESPACE, ["--rpc-http-api=ETH,MINE"], "mine_head"],
  ])("%s", async (_, source, words, method) => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("mine.mjs"), source);
    writeFileSync(folder.file("plinth.toml"), 'plugins = ["./mine.mjs"]\n');
    await using node = await startNode(
      ["--profile=dev", "--config-file=plinth.toml", "--rpc-http-port=0", ...words],
      { folder: folder.path },
    );

    expect(await node.rpc(method)).toBe("0x0");
  });
});
