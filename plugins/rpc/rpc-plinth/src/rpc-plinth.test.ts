import { definePlugin } from "@plinth/core";
import { type DiskReport, diskUsage } from "@plinth/plugin-disk-usage/api";
import { createTestNode, signTransaction, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcPlinth from "./index.js";

/** Blocks are produced only on request of the test. */
const QUIET = { devPeriodSeconds: 3600 };

describe("plinth_explainTransaction", () => {
  it("returns the state of transactions and what they are waiting for", async () => {
    await using node = await createTestNode({ plugins: [rpcPlinth], options: QUIET });
    const send = async (fields: Parameters<typeof signTransaction>[0]) => {
      const raw = Buffer.from((await signTransaction(transfer(fields))).slice(2), "hex");
      return (await node.node.pool.submit(raw)).hash;
    };
    const explain = (hash: unknown) => node.rpc("plinth_explainTransaction", [hash]);
    const first = await send({ nonce: 0 });
    const old = await send({ nonce: 1, gasPrice: 100n });
    const better = await send({ nonce: 1, gasPrice: 110n });
    const far = await send({ nonce: 5 });

    expect(await explain(first)).toEqual({
      state: "ready",
      message: "it can be included in the next block",
    });
    expect(await explain(old)).toEqual({
      state: "dropped",
      reason: "replaced",
      by: better,
      message: `${better} replaced it`,
    });
    expect(await explain(far)).toEqual({
      state: "waiting-for-nonce",
      nonce: "0x2",
      message: "it waits for the transaction of its sender with nonce 2",
    });
    const [header] = await node.mine([]);
    expect(await explain(better)).toEqual({
      state: "mined",
      blockHash: header?.hash,
      blockNumber: "0x1",
      message: `it is in block 1 (${header?.hash})`,
    });
    expect(await explain(`0x${"ab".repeat(32)}`)).toMatchObject({ state: "unknown" });
  });

  it.each([[[]], [["0x12"]], [[`0x${"ab".repeat(32)}`, 1]]])("rejects %j", async (params) => {
    await using node = await createTestNode({ plugins: [rpcPlinth] });

    await expect(node.rpc("plinth_explainTransaction", params)).rejects.toMatchObject({
      code: -32602,
    });
  });

  it("does not exist once the plugin is disabled", async () => {
    await using node = await createTestNode({ plugins: [rpcPlinth] });

    await node.disable("rpc-plinth");

    await expect(node.rpc("plinth_explainTransaction")).rejects.toMatchObject({ code: -32601 });
  });
});

describe("plinth_status", () => {
  it("returns the chain, the pool, the plugins and their health", async () => {
    const ill = definePlugin({
      name: "ill",
      setup: ({ health }) => health.check("disk", () => ({ status: "degraded", detail: "full" })),
    });
    const plugins = [rpcPlinth, ill];
    await using node = await createTestNode({ plugins, options: QUIET });
    const [head] = await node.mine([transfer()]);
    const raw = Buffer.from((await signTransaction(transfer({ nonce: 1 }))).slice(2), "hex");
    await node.node.pool.submit(raw);

    const status = await node.rpc("plinth_status");

    expect(status).toMatchObject({
      clientVersion: node.node.clientVersion,
      chainId: "0x539",
      networkId: "0x539",
      genesisHash: node.node.blocks.findHeader(0n)?.hash,
      head: { number: "0x1", hash: head?.hash },
      headAge: expect.any(Number),
      pending: 1,
      plugins: expect.arrayContaining(["rpc-plinth", "ill"]),
      health: {
        status: "degraded",
        checks: expect.arrayContaining([
          { plugin: "ill", name: "disk", status: "degraded", detail: "full" },
        ]),
      },
    });
    expect(status).not.toHaveProperty("peers");
  });
});

describe("plinth_disk", () => {
  const report: DiskReport = {
    dataPath: "/data",
    groups: [{ group: "blocks", bytes: 600 }],
    tables: { headers: 200, bodies: 400 },
    databaseBytes: 700,
    totalBytes: 800,
    freeBytes: 1000,
    diskBytes: 9000,
    samples: 25,
    growth: {
      seconds: 86_400,
      blocks: 10,
      blocksPerDay: 10,
      bytesPerDay: 100,
      bytesPerBlock: 10,
      bytesPerTransaction: undefined,
    },
    forecast: { bytesIn30Days: 3800, bytesIn365Days: 37_300, daysLeft: 10 },
  };

  it("returns what takes how much, which plinth_status summarizes", async () => {
    const measured = definePlugin({
      name: "measured",
      provides: [diskUsage],
      setup: ({ services }) =>
        services.provide(diskUsage, () => ({ report: async () => report, latest: () => report })),
    });
    await using node = await createTestNode({ plugins: [rpcPlinth, measured] });

    expect(await node.rpc("plinth_disk")).toEqual(JSON.parse(JSON.stringify(report)));
    expect(await node.rpc("plinth_status")).toMatchObject({
      disk: { totalBytes: 800, freeBytes: 1000, bytesPerDay: 100, daysLeft: 10 },
    });
  });

  it("is not available if the data is in memory", async () => {
    await using node = await createTestNode({ plugins: [rpcPlinth] });

    await expect(node.rpc("plinth_disk")).rejects.toMatchObject({ code: -32604 });
    expect(await node.rpc("plinth_status")).not.toHaveProperty("disk");
  });
});
