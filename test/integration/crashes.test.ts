import { describe, expect, it } from "vitest";
import { createSender, type Receipt } from "../support/dev-load.js";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- crashes` kills it fifty times. */
const CRASHES = Number(process.env.PLINTH_CRASHES ?? 2);
const SENDERS = 4;
const BATCH = 500;
/** Maximum time all of them send before the node is killed. */
const MAX_WORK_MS = 800;

describe("a node that is killed under load", () => {
  it(
    `has every reported receipt, ${CRASHES} times`,
    async () => {
      using folder = temporaryFolder();
      const seen: Receipt[] = [];
      for (let crash = 0; crash < CRASHES; crash++) {
        const node = await startNode(["--profile=dev"], { folder: folder.path });
        // A database that needs repair reports it.
        expect(node.output()).not.toMatch(/repair|damaged/i);
        await verifySeen(node, seen);
        const senders = Array.from({ length: SENDERS }, (_, index) => createSender(node, index));
        // Every other one is killed under load, the rest at any moment from its start on.
        if (crash % 2 === 0) seen.push(...(await Promise.all(senders.map(({ send }) => send()))));
        const working = senders.map((sender) => sender.sendUntilClosed(seen));
        await new Promise((done) => setTimeout(done, Math.random() * MAX_WORK_MS));
        await node.stop("SIGKILL");
        await Promise.all(working);
      }
      const last = await startNode(["--profile=dev"], { folder: folder.path });
      await verifySeen(last, seen);
      await last.stop();

      expect(seen.length).toBeGreaterThanOrEqual(CRASHES * 2);
    },
    CRASHES * 10_000,
  );
});

/** In one batch: two hundred crashes leave thousands of receipts to verify after each. */
async function findReceipts(node: Node, hashes: readonly string[]): Promise<readonly unknown[]> {
  const method = "eth_getTransactionReceipt";
  const batch = hashes.map((hash, id) => ({ jsonrpc: "2.0", id, method, params: [hash] }));
  const response = await fetch(node.url, { method: "POST", body: JSON.stringify(batch) });
  const answers = (await response.json()) as readonly { readonly result: unknown }[];
  return answers.map(({ result }) => result);
}

type Node = Awaited<ReturnType<typeof startNode>>;

/** Every receipt exists with the same block hash, and the state of the head is readable. */
async function verifySeen(node: Node, seen: readonly Receipt[]): Promise<void> {
  for (let first = 0; first < seen.length; first += BATCH) {
    const receipts = seen.slice(first, first + BATCH);
    const hashes = receipts.map(({ transactionHash }) => transactionHash);
    expect(await findReceipts(node, hashes)).toEqual(receipts);
  }
  const sums = new Map<string, number>();
  for (const { from } of seen) sums.set(from, (sums.get(from) ?? 0) + 1);
  for (const [from, count] of sums) {
    const nonce = Number(await node.rpc("eth_getTransactionCount", [from, "latest"]));
    expect(nonce).toBeGreaterThanOrEqual(count);
  }
}
