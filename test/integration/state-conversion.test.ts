import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "@plinth/core";
import consensusClique from "@plinth/plugin-consensus-clique";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import rpcEth from "@plinth/plugin-rpc-eth";
import { createTestNode, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { ROOT } from "../support/program.js";

const NETWORKS = join(ROOT, "test/vectors/besu-networks");

type TestNode = Awaited<ReturnType<typeof createTestNode>>;

describe("a conversion to flat states", () => {
  it.each<readonly [string, readonly Plugin[]]>([
    ["ibft2-votes", [consensusIbft, consensusQbft]],
    ["clique-votes", [consensusClique]],
  ])("gives the responses from before, for the recorded chain %s", async (name, engines) => {
    const genesis = JSON.parse(readFileSync(join(NETWORKS, name, "genesis.json"), "utf8"));
    const options: Record<string, unknown> = { dataStorageFormat: "FOREST" };
    const logs = recordLogs();
    const plugins = [...engines, rpcEth];
    await using node = await createTestNode({ plugins, options, genesis, logs });
    for (const block of readBlocks(join(NETWORKS, name, "chain.blocks"))) {
      await node.node.blocks.import(block, { origin: "file" });
    }
    const before = await readStates(node);
    expect(before.length).toBeGreaterThan(10);

    options.dataStorageFormat = "BONSAI";
    await node.restart();

    expect(logs.entries.map(({ message }) => message)).toContain("The states are converted");
    expect(await readStates(node)).toEqual(before);
  });
});

/** Balances and nonces at every third block, read as values and through the tries. */
async function readStates(node: TestNode): Promise<readonly unknown[]> {
  const { blocks } = node.node;
  const states: unknown[] = [];
  for (let number = 0n; number <= blocks.head().number; number += 3n) {
    const header = blocks.findHeader(number);
    if (header === undefined) throw new Error(`block ${number} is missing`);
    const accounts = [...blocks.accountsFrom(header, `0x${"00".repeat(32)}`)];
    const place = `0x${number.toString(16)}`;
    for (const { address } of accounts) {
      states.push(await node.rpc("eth_getBalance", [address, place]));
      states.push(await node.rpc("eth_getTransactionCount", [address, place]));
    }
    states.push(accounts);
  }
  return states;
}
