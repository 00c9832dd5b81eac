import { writeFileSync } from "node:fs";
import { signTransaction } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const BOB = "0x00000000000000000000000000000000000000b0";
const CRASHES = 5;

/** Sends Alice's transfer and waits for its receipt. */
async function transfer(node: RunningNode, nonce: number): Promise<Record<string, unknown>> {
  const raw = await signTransaction({ nonce, to: BOB, value: 1n, gasPrice: 2_000_000_000n });
  const hash = await node.rpc("eth_sendRawTransaction", [raw]);
  for (;;) {
    const receipt = await node.rpc("eth_getTransactionReceipt", [hash]);
    if (receipt !== null) return receipt as Record<string, unknown>;
  }
}

describe("the development chain as a process", () => {
  it("keeps every block that was seen, however the process ends", async () => {
    using folder = temporaryFolder();
    const seen: Record<string, unknown>[] = [];

    for (let crash = 0; crash < CRASHES; crash++) {
      const node = await startNode(["--profile=dev"], { folder: folder.path });
      for (const receipt of seen) {
        const again = await node.rpc("eth_getTransactionReceipt", [receipt.transactionHash]);
        expect(again).toEqual(receipt);
      }
      seen.push(await transfer(node, seen.length), await transfer(node, seen.length + 1));
      // One more is on its way when the process is killed.
      const raw = await signTransaction({ nonce: seen.length, to: BOB, gasPrice: 2_000_000_000n });
      await node.rpc("eth_sendRawTransaction", [raw]);
      await node.stop("SIGKILL");
      const last = await startNode(["--profile=dev"], { folder: folder.path });
      const nonce = await last.rpc("eth_getTransactionCount", [
        "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
      ]);
      const height = await last.rpc("eth_blockNumber");
      expect(height).toBe(nonce);
      // Whether the one on its way made it is open; either way the chain is whole.
      if (nonce === `0x${seen.length.toString(16)}`) seen.push(await transfer(last, seen.length));
      else seen.push(await receiptOfBlock(last, height));
      await last.stop();
    }

    expect(seen.map(({ blockNumber }) => Number(blockNumber))).toEqual(
      seen.map((_, index) => index + 1),
    );
  });

  it("refuses the data of another chain", async () => {
    using folder = temporaryFolder();
    await (await startNode(["--profile=dev"], { folder: folder.path })).stop();
    const genesis = { config: { chainId: 1337, dev: {} }, extraData: "0x01" };
    writeFileSync(folder.file("other.json"), JSON.stringify(genesis));

    const other = startNode(["--genesis-file=other.json"], { folder: folder.path });

    await expect(other).rejects.toThrow("Supplied genesis block does not match chain data stored");
  });
});

async function receiptOfBlock(
  node: RunningNode,
  number: unknown,
): Promise<Record<string, unknown>> {
  const block = (await node.rpc("eth_getBlockByNumber", [number, false])) as {
    transactions: readonly string[];
  };
  const receipt = await node.rpc("eth_getTransactionReceipt", [block.transactions[0]]);
  return receipt as Record<string, unknown>;
}
