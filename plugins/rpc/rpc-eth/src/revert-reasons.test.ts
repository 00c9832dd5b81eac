import { createTestNode, type TestNode, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";

/** Reverts with a word whose last byte is 0xaa. */
const REVERTING = { data: "0x60aa60005260206000fd", gasLimit: 100_000n };
/** Aborts with an invalid instruction. */
const HALTING = { data: "0xfe", gasLimit: 100_000n };

async function receiptsOf(node: TestNode) {
  await node.mine([transfer(), REVERTING, HALTING]);
  const receipts = (await node.rpc("eth_getBlockReceipts", ["latest"])) as readonly Receipt[];
  const hash = receipts[1]?.transactionHash;
  const single = (await node.rpc("eth_getTransactionReceipt", [hash])) as Receipt;
  return { receipts, single };
}

interface Receipt {
  readonly transactionHash: string;
  readonly revertReason?: string;
}

describe("the revert reason of a transaction", () => {
  it("is stored and shown if enabled, also after a restart", async () => {
    await using node = await createTestNode({ options: { revertReasonEnabled: true } });
    const { receipts, single } = await receiptsOf(node);
    await node.restart();

    const again = await node.rpc("eth_getTransactionReceipt", [single.transactionHash]);

    const reason = `0x${"aa".padStart(64, "0")}`;
    expect(receipts.map(({ revertReason }) => revertReason)).toEqual([
      undefined,
      reason,
      undefined,
    ]);
    expect(single.revertReason).toBe(reason);
    expect(again).toEqual(single);
  });

  it("is not shown by default", async () => {
    await using node = await createTestNode();
    const { receipts } = await receiptsOf(node);

    expect(receipts.filter((receipt) => "revertReason" in receipt)).toEqual([]);
  });
});
