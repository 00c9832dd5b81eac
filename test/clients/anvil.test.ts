import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEV_METHODS } from "../support/dev-methods.js";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startAnvil } from "./anvil.js";
import { isMissing } from "./installed.js";

const CONTRACT = "0x00000000000000000000000000000000000000c0";
const BOB = "0x00000000000000000000000000000000000000b0";
const WORD = `0x${"2a".padStart(64, "0")}`;

interface Chain {
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
}

/** Leaves code, a word of storage, a nonce and a balance. */
async function leaveTraces(chain: Chain): Promise<void> {
  await chain.rpc("anvil_setCode", [CONTRACT, "0x60015000"]);
  await chain.rpc("anvil_setStorageAt", [CONTRACT, "0x7", WORD]);
  await chain.rpc("anvil_setNonce", [BOB, "0x5"]);
  await chain.rpc("anvil_setBalance", [BOB, "0x1234"]);
}

async function readTraces(chain: Chain): Promise<unknown> {
  return [
    await chain.rpc("eth_getCode", [CONTRACT, "latest"]),
    await chain.rpc("eth_getStorageAt", [CONTRACT, "0x7", "latest"]),
    await chain.rpc("eth_getTransactionCount", [BOB, "latest"]),
    await chain.rpc("eth_getBalance", [BOB, "latest"]),
  ];
}

const TRACES = ["0x60015000", WORD, "0x5", "0x1234"];

describe.skipIf(isMissing("foundry", ".bin/anvil"))("beside Anvil", () => {
  it("a dump of either is loaded by the other", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(["dev"], { folder: folder.path });
    await using anvil = await startAnvil();

    await leaveTraces(anvil);
    await node.rpc("anvil_loadState", [await anvil.rpc("anvil_dumpState")]);
    expect(await readTraces(node)).toEqual(TRACES);

    await using other = await startAnvil();
    await other.rpc("anvil_loadState", [await node.rpc("anvil_dumpState")]);
    expect(await readTraces(other)).toEqual(TRACES);
  });

  it("a file of either is accepted by the other", async () => {
    using folder = temporaryFolder();
    const anvil = await startAnvil(["--dump-state", folder.file("anvil.json")]);
    await leaveTraces(anvil);
    await anvil.stop();

    const words = [`--load-state=${folder.file("anvil.json")}`];
    const more = [`--dump-state=${folder.file("plinth.json")}`];
    const node = await startNode(["dev", ...words, ...more], { folder: folder.path });
    expect(await readTraces(node)).toEqual(TRACES);
    await node.stop();
    expect(JSON.parse(readFileSync(folder.file("plinth.json"), "utf8"))).toHaveProperty("accounts");

    await using other = await startAnvil(["--load-state", folder.file("plinth.json")]);
    expect(await readTraces(other)).toEqual(TRACES);
  });

  it("every method listed in the table is one of Anvil's", async () => {
    await using anvil = await startAnvil();
    const unknown: string[] = [];

    for (const { name, of, params } of DEV_METHODS) {
      const isThere = await anvil.rpc(name, params).then(
        () => true,
        ({ code }) => code !== -32601,
      );
      if (isThere !== of.includes("Anvil")) unknown.push(name);
    }

    expect(unknown).toEqual([]);
  });

  it("an invalid file is rejected", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("state.json"), "{}");

    const node = startNode(["dev", `--load-state=${folder.file("state.json")}`], {
      folder: folder.path,
    });

    await expect(node).rejects.toThrow("accounts");
  });
});
