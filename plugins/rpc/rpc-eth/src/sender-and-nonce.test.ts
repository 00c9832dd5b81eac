import {
  ALICE,
  BOB,
  CAROL,
  createTestNode,
  signTransaction,
  type TestNode,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";

const ask = (node: TestNode, sender: string, nonce: string) =>
  node.rpc("eth_getTransactionBySenderAndNonce", [sender, nonce]);

describe("eth_getTransactionBySenderAndNonce", () => {
  it("finds every transaction of a sender, and no others", async () => {
    await using node = await createTestNode();
    const carols = transfer({ from: CAROL });
    await node.mine([], [transfer(), carols, transfer()], [carols], [], [transfer()], []);

    for (const [nonce, blockNumber, transactionIndex] of [
      ["0x0", "0x2", "0x0"],
      ["0x1", "0x2", "0x2"],
      ["0x2", "0x5", "0x0"],
    ] as const) {
      expect(await ask(node, ALICE.address, nonce)).toMatchObject({
        ...{ from: ALICE.address, nonce, blockNumber, transactionIndex },
      });
    }
    expect(await ask(node, CAROL.address, "0x1")).toMatchObject({ blockNumber: "0x3" });
    expect(await ask(node, ALICE.address, "0x3")).toBeNull();
    expect(await ask(node, BOB, "0x0")).toBeNull();
  });

  it("finds a transaction that waits in the pool", async () => {
    await using node = await createTestNode({ options: { devPeriodSeconds: 3600 } });
    await node.rpc("eth_sendRawTransaction", [await signTransaction({ to: BOB })]);

    expect(await ask(node, ALICE.address, "0x0")).toMatchObject({
      blockNumber: null,
      nonce: "0x0",
    });
  });

  it("refuses a nonce that is no number", async () => {
    await using node = await createTestNode();

    await expect(ask(node, ALICE.address, "one")).rejects.toMatchObject({ code: -32602 });
  });
});
