import { toQuantity } from "@plinth/core";
import rpcDev from "@plinth/plugin-rpc-dev";
import { ALICE, BOB, signTransaction, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { post } from "../support/guarded-node.js";
import { startLiar } from "../support/lying-source.js";
import { startReplica, startSource } from "../support/replica.js";

const REFUSAL = {
  code: -32604,
  message: expect.stringContaining("this node is a replica (--follow): "),
};

describe("a replica", () => {
  it("follows its source from block 0 on, block by block", async () => {
    await using source = await startSource();
    await source.mine([transfer(), transfer()], []);
    await using replica = await startReplica([source.address()]);

    await replica.reached(source.head());
    await source.mine([transfer()]);
    await replica.reached(source.head());

    expect(replica.lines()).toEqual([`Following ${source.address()}.`]);
    expect([...replica.node.blocks.verifyState()].flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("follows a reorganization, and keeps none of its transactions", async () => {
    await using source = await startSource();
    await source.mine([transfer()], [transfer()], []);
    await using replica = await startReplica([source.address()], { changesEnabled: true });
    await replica.reached(source.head());

    await source.reorganize(2);
    await replica.reached(source.head());

    expect(replica.node.pool.all()).toEqual([]);
    // Three blocks, and one change of the head: two are removed, three are added.
    expect(await replica.rpc("plinth_describeChanges")).toMatchObject({ lastSequence: "0x8" });
  });

  it("follows a head that is set back, and blocks after it", async () => {
    await using source = await startSource();
    const [first] = await source.mine([transfer()], [transfer()], []);
    await using replica = await startReplica([source.address()]);
    await replica.reached(source.head());

    await source.node.blocks.setHead(first?.hash ?? "0x");
    await replica.reached(source.head());
    await source.mine([transfer()]);
    await replica.reached(source.head());

    expect(replica.head().number).toBe(2n);
  });

  it("continues after a restart where it was", async () => {
    await using source = await startSource();
    await source.mine([], [transfer()]);
    await using replica = await startReplica([source.address()]);
    await replica.reached(source.head());

    await replica.stop();
    await source.mine([transfer()], []);
    await source.reorganize(1);
    await replica.restart();
    await replica.reached(source.head());

    expect(replica.node.blocks.stateAt(replica.head()).findAccount(BOB)?.balance).toBe(2n);
  });

  it("is a source for other replicas", async () => {
    await using source = await startSource();
    await using first = await startReplica([source.address()], { changesEnabled: true });
    await using second = await startReplica([first.address()]);

    await source.mine([transfer()], []);
    await source.reorganize(1);
    await second.reached(source.head());

    expect(second.head()).toEqual(source.head());
  });
});

describe("another source", () => {
  it("is followed from the block that the replica has, although its stream is another one", async () => {
    await using source = await startSource();
    await source.mine([transfer()], [], [transfer()]);
    await source.reorganize(1);
    await using other = await startReplica([source.address()], { changesEnabled: true });
    await other.reached(source.head());
    await using replica = await startReplica([source.address(), other.address()]);
    await replica.reached(source.head());
    const ids = [source, other].map(async (node) => {
      const { id } = Object(await node.rpc("plinth_describeChanges"));
      return id;
    });

    const address = other.address();
    await source.stop();
    await replica.logged(`Following ${address}.`);

    expect(new Set(await Promise.all(ids)).size).toBe(2);
    expect(replica.head()).toEqual(other.head());
  });

  it("that is behind does not take blocks away", async () => {
    await using source = await startSource();
    await source.mine([], []);
    await using behind = await startReplica([source.address()], { changesEnabled: true });
    await behind.reached(source.head());
    await behind.stop();
    await source.mine([transfer()]);
    const head = source.head();
    await using replica = await startReplica([source.address()]);
    await replica.reached(head);
    const port = source.port();
    await source.stop();
    await behind.restart();

    await using relay = await startLiar(behind.address(), {}, port);
    await replica.logged("it is tried again");
    while (!relay.requests.some((url) => url.includes("wait="))) await relay.requested();

    expect(replica.head()).toEqual(head);
    expect(behind.head().number).toBe(2n);
  });
});

describe("a transaction", () => {
  it("is forwarded to the source, whose errors are returned as they are", async () => {
    await using source = await startSource();
    await using replica = await startReplica([source.address()]);
    const raw = await signTransaction(transfer({ nonce: 0 }));

    const hash = await replica.rpc("eth_sendRawTransaction", [raw]);
    const again = replica.rpc("eth_sendRawTransaction", [raw]);

    await expect(again).rejects.toMatchObject({ code: -32000, message: "Known transaction" });
    expect(source.node.pool.all().map((each) => each.hash)).toEqual([hash]);
    expect(await replica.rpc("txpool_besuStatistics")).toMatchObject({ localCount: 1 });
    const nonceOf = (block: string) =>
      replica.rpc("eth_getTransactionCount", [ALICE.address, block]);
    expect([await nonceOf("pending"), await nonceOf("latest")]).toEqual(["0x1", "0x0"]);
    expect(await replica.rpc("eth_getTransactionByHash", [hash])).toMatchObject({
      ...{ hash, blockHash: null },
    });
    expect(await replica.rpc("eth_getTransactionByHash", [`0x${"00".repeat(32)}`])).toBeNull();
  });

  it("has an error if no source responds", async () => {
    await using source = await startSource();
    await using replica = await startReplica([source.address()]);
    await source.stop();

    await expect(replica.rpc("eth_sendRawTransaction", ["0x02c0"])).rejects.toMatchObject({
      code: -32000,
      // Where the source is, its callers may not know.
      message: "the source of this replica could not be called",
    });
  });

  it("cannot be waited for with eth_newPendingTransactionFilter", async () => {
    await using source = await startSource();
    await using replica = await startReplica([source.address()]);

    await expect(replica.rpc("eth_newPendingTransactionFilter")).rejects.toMatchObject(REFUSAL);
  });
});

describe("methods that change development chains", () => {
  it("are rejected, with the reason", async () => {
    await using source = await startSource({}, { plugins: [rpcDev] });
    await using replica = await startReplica([source.address()], {}, { plugins: [rpcDev] });
    const methods = replica.node
      .methods()
      .filter(({ namespace }) => ["evm", "hardhat", "anvil"].includes(namespace));

    for (const { fullName, method } of methods) {
      const params = method.example?.params ?? [];
      await expect(replica.rpc(fullName, params), fullName).rejects.toMatchObject(REFUSAL);
    }
    expect(methods.length).toBeGreaterThan(50);
    expect(replica.head().number).toBe(0n);
  });
});

describe("X-Plinth-Min-Block", () => {
  const call = { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] };
  const at = (block: string) => ({ headers: { "x-plinth-min-block": block } });

  it("waits until the block has come", async () => {
    await using source = await startSource();
    await using replica = await startReplica([source.address()]);

    const waiting = post(replica.port(), call, at("2"));
    await source.mine([], []);

    expect((await waiting).json).toMatchObject({ result: toQuantity(2n) });
    expect((await post(source.port(), call, at("0x1"))).json).toMatchObject({ result: "0x2" });
  });

  it("must be a number", async () => {
    await using node = await startSource();

    const { status, json } = await post(node.port(), call, at("latest"));

    expect(status).toBe(400);
    expect(json).toMatchObject({ error: { code: -32600 } });
  });
});
