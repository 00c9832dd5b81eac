import { COMPATIBILITIES, JsonPieces, RawResult, StreamResult } from "@plinth/core/rpc";
import {
  ALICE,
  createTestNode,
  devChain,
  FakeClock,
  LOG_GENESIS,
  LOGGER,
  signLog,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { Filters } from "./filters/filters.js";
import rpcEth from "./index.js";

const [X, Y, Z] = ["01", "02", "03"].map((byte) => `0x${byte.repeat(32)}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
];

/** The logs of a result, which is their JSON; a long search streams it. */
async function logsOf(result: unknown): Promise<unknown> {
  if (result instanceof RawResult) return JSON.parse(Buffer.from(result.json).toString());
  if (result instanceof StreamResult) return parse(result.chunks);
  return result instanceof JsonPieces ? parse(result) : result;
}

async function parse(json: AsyncIterable<string | Uint8Array>): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of json) chunks.push(Buffer.from(chunk));
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** A chain that logs on demand, one block at a time. */
async function startChain(options: Record<string, unknown> = {}, clock?: FakeClock) {
  const node = await createTestNode({
    plugins: [rpcEth, ...devChain],
    genesis: LOG_GENESIS,
    options,
    ...(clock === undefined ? {} : { clock }),
  });
  let nonce = 0;
  const log = async (...topics: readonly [typeof X, typeof X]) => {
    const hash = await node.rpc("eth_sendRawTransaction", [await signLog(nonce++, topics)]);
    for (;;) {
      const receipt = await node.rpc("eth_getTransactionReceipt", [hash]);
      if (receipt !== null) return receipt as { blockHash: string; transactionHash: string };
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { ...node, log, [Symbol.asyncDispose]: () => node.stop() };
}

const ALL = { fromBlock: "earliest" };

describe("eth_getLogs", () => {
  it("returns a log with its position", async () => {
    await using node = await startChain();
    const { blockHash, transactionHash } = await node.log(X, Y);

    expect(await node.rpc("eth_getLogs", [ALL])).toEqual([
      {
        address: LOGGER,
        topics: [X, Y],
        data: "0x",
        blockNumber: "0x1",
        blockHash,
        transactionHash,
        transactionIndex: "0x0",
        logIndex: "0x0",
        removed: false,
      },
    ]);
  });

  it.each([
    ["the head by default", {}, 1],
    ["a range", { fromBlock: "0x1", toBlock: 2 }, 2],
    [
      "blocks up to the head if the range extends beyond it",
      { fromBlock: "0x2", toBlock: "0x100" },
      2,
    ],
    ["nothing if the range ends before its start", { fromBlock: "0x5", toBlock: "0x1" }, 0],
    ["one address", { ...ALL, address: LOGGER }, 3],
    ["one of some addresses", { ...ALL, address: [ALICE.address, LOGGER] }, 3],
    ["addresses under the alternative field name", { ...ALL, addresses: [ALICE.address] }, 0],
    ["a first topic", { ...ALL, topics: [X] }, 2],
    ["a second topic", { ...ALL, topics: [null, Z] }, 2],
    ["alternatives", { ...ALL, topics: [[X, Y], Y] }, 1],
    ["nothing with more topics than the logs have", { ...ALL, topics: [null, null, null] }, 0],
  ])("searches %s", async (_, filter, count) => {
    await using node = await startChain();
    await node.log(X, Y);
    await node.log(X, Z);
    await node.log(Y, Z);

    expect(await node.rpc("eth_getLogs", [filter])).toHaveLength(count);
  });

  it("searches one block by its hash", async () => {
    await using node = await startChain();
    const { blockHash } = await node.log(X, Y);
    await node.log(X, Z);

    expect(await node.rpc("eth_getLogs", [{ blockHash }])).toMatchObject([{ topics: [X, Y] }]);
    await expect(node.rpc("eth_getLogs", [{ blockHash: X }])).rejects.toMatchObject({
      code: -32000,
      message: "Block not found",
    });
  });

  it("enforces the operator's limit, whether the blocks exist or not", async () => {
    await using node = await startChain({ rpcMaxLogsRange: 5 });
    const search = (toBlock: string) => node.rpc("eth_getLogs", [{ fromBlock: "0x7", toBlock }]);

    expect(await search("0xc")).toEqual([]);
    await expect(search("0xd")).rejects.toMatchObject({
      code: -32005,
      message: "Requested range exceeds maximum RPC range limit",
    });
  });

  it("has no limit if the operator disables it", async () => {
    await using node = await startChain({ rpcMaxLogsRange: 0 });

    expect(await node.rpc("eth_getLogs", [{ fromBlock: "0x0", toBlock: "0xfffffff" }])).toEqual([]);
  });

  it.each([
    [[]],
    [["latest"]],
    [[{ address: "bob" }]],
    [[{ topics: ["0x1"] }]],
    [[{ fromBlock: "0x0", blockHash: X }]],
  ])("rejects %j", async (params) => {
    await using node = await startChain();

    await expect(node.rpc("eth_getLogs", params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Invalid filter params"),
    });
  });
});

describe("a filter", () => {
  it("for blocks returns the hashes since it was last polled", async () => {
    await using node = await startChain();
    await node.log(X, Y);
    const id = await node.rpc("eth_newBlockFilter");
    expect(id).toMatch(/^0x[1-9a-f][0-9a-f]{0,31}$/);

    const { blockHash } = await node.log(X, Y);

    expect(await node.rpc("eth_getFilterChanges", [id])).toEqual([blockHash]);
    expect(await node.rpc("eth_getFilterChanges", [id])).toEqual([]);
  });

  it("for transactions returns their hashes as the pool accepts them", async () => {
    await using node = await startChain();
    const id = await node.rpc("eth_newPendingTransactionFilter");

    const { transactionHash } = await node.log(X, Y);

    expect(await node.rpc("eth_getFilterChanges", [id])).toEqual([transactionHash]);
  });

  it("for logs returns the matches since it was last polled, and all of its range", async () => {
    await using node = await startChain();
    await node.log(X, Y);
    const id = await node.rpc("eth_newFilter", [{ ...ALL, topics: [X] }]);

    await node.log(X, Z);
    await node.log(Y, Z);

    expect(await node.rpc("eth_getFilterChanges", [id])).toMatchObject([{ topics: [X, Z] }]);
    expect(await node.rpc("eth_getFilterChanges", [id])).toEqual([]);
    expect(await node.rpc("eth_getFilterLogs", [id])).toMatchObject([
      { topics: [X, Y] },
      { topics: [X, Z] },
    ]);
  });

  it("for logs applies the end of its range but not the start", async () => {
    await using node = await startChain();
    const id = await node.rpc("eth_newFilter", [{ fromBlock: "0x2", toBlock: "0x2" }]);

    for (const _ of [1, 2, 3]) await node.log(X, Y);

    expect(await node.rpc("eth_getFilterChanges", [id])).toMatchObject([
      { blockNumber: "0x1" },
      { blockNumber: "0x2" },
    ]);
  });

  it("enforces the operator's range limit when all logs are requested", async () => {
    await using node = await startChain({ rpcMaxLogsRange: 1 });
    const id = await node.rpc("eth_newFilter", [ALL]);
    for (const _ of [1, 2]) await node.log(X, Y);

    await expect(node.rpc("eth_getFilterLogs", [id])).rejects.toMatchObject({ code: -32005 });
  });

  it("does not exist after it was uninstalled", async () => {
    await using node = await startChain();
    const id = await node.rpc("eth_newFilter", [{}]);

    expect(await node.rpc("eth_uninstallFilter", [id])).toBe(true);

    expect(await node.rpc("eth_uninstallFilter", [id])).toBe(false);
    await expect(node.rpc("eth_getFilterChanges", [id])).rejects.toMatchObject({
      code: -32000,
      message: "Filter not found",
    });
    await expect(node.rpc("eth_getFilterLogs", [id])).rejects.toMatchObject({
      code: -32000,
      message: "Logs filter not found",
    });
  });

  it("expires ten minutes after the last poll", async () => {
    const clock = new FakeClock(1_000_000_000);
    await using node = await startChain({}, clock);
    const id = await node.rpc("eth_newBlockFilter");
    const ask = () => node.rpc("eth_getFilterChanges", [id]);

    await clock.advance(9 * 60_000);
    expect(await ask()).toEqual([]);
    await clock.advance(9 * 60_000);
    expect(await ask()).toEqual([]);
    await clock.advance(10 * 60_000 + 10_000);

    await expect(ask()).rejects.toMatchObject({ message: "Filter not found" });
  });

  it("of another kind has no logs", async () => {
    await using node = await startChain();
    const id = await node.rpc("eth_newBlockFilter");

    await expect(node.rpc("eth_getFilterLogs", [id])).rejects.toMatchObject({
      message: "Logs filter not found",
    });
  });

  it.each(["eth_getFilterChanges", "eth_getFilterLogs", "eth_uninstallFilter"])(
    "has an id that %s requires",
    async (name) => {
      await using node = await startChain();

      await expect(node.rpc(name, [])).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining("Invalid filter params"),
      });
    },
  );
});

describe("filters after a reorganization", () => {
  it("return the removed logs first, and only blocks that joined", async () => {
    await using node = await startChain();
    const { blockHash: left } = await node.log(X, Y);
    const { blockHash: right } = await node.log(X, Z);
    const { blocks } = node.node;
    const find = (hash: string) => blocks.findBlock(hash as typeof X);
    const [oldBlock, newBlock] = [find(left), find(right)];
    if (blocks === undefined || oldBlock === undefined || newBlock === undefined)
      throw new Error("no blocks");
    const filters = new Filters(() => {});
    const clock = new FakeClock();
    const owner = { clock, client: {} };
    const reader = {
      compatibility: COMPATIBILITIES.plinth,
      signal: new AbortController().signal,
    };
    const query = { criteria: { addresses: [], topics: [] }, blockHash: undefined } as const;
    const logs = filters.addLogFilter({ ...query, fromBlock: 0n, toBlock: "latest" }, owner);
    const hashes = filters.addBlockFilter(owner);

    filters.blockAdded(newBlock.header.hash);
    filters.headChanged({ removed: [oldBlock], added: [newBlock] });

    expect(
      await logsOf(await filters.find(logs, clock)?.takeChanges(blocks, reader)),
    ).toMatchObject([
      { blockHash: left, removed: true },
      { blockHash: right, removed: false },
    ]);
    expect(filters.find(hashes, clock)?.takeChanges(blocks, reader)).toEqual([right]);
  });
});

describe("a filter that is not polled for long", () => {
  it("still has its logs, regardless of how many blocks without any followed", async () => {
    await using node = await startChain();
    const { blockHash } = await node.log(X, Y);
    const { blocks } = node.node;
    const [block, empty] = [blocks.findBlock(blockHash as typeof X), blocks.findHeader(0n)];
    if (block === undefined || empty === undefined) throw new Error("no blocks");
    const filters = new Filters(() => {});
    const clock = new FakeClock();
    const query = { criteria: { addresses: [], topics: [] }, blockHash: undefined } as const;
    const id = filters.addLogFilter(
      { ...query, fromBlock: 0n, toBlock: "latest" },
      { clock, client: {} },
    );
    filters.headChanged({ removed: [], added: [block] });

    const added = [{ ...block, header: empty }];
    for (let count = 0; count < 20_000; count++) filters.headChanged({ removed: [], added });

    const { signal } = new AbortController();
    const reader = { compatibility: COMPATIBILITIES.plinth, signal };
    expect(await logsOf(await filters.find(id, clock)?.takeChanges(blocks, reader))).toMatchObject([
      { blockHash },
    ]);
  });
});

describe("a filter with too many values", () => {
  const many = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, index) => `0x${index.toString(16).padStart(bytes * 2, "0")}`);

  it.each([
    ["addresses", { address: many(4097, 20) }],
    ["topics in one position", { topics: [null, many(4097, 32)] }],
    ["positions", { topics: many(4097, 32) }],
  ])("is rejected: %s", async (_, filter) => {
    await using node = await startChain();

    for (const method of ["eth_getLogs", "eth_newFilter"]) {
      await expect(node.rpc(method, [filter])).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(
          "Invalid filter params: more than 4096 addresses or topics per position",
        ),
      });
    }
  });

  it("has more than 4096 of them, which is more than an indexer needs", async () => {
    await using node = await startChain();

    expect(
      await node.rpc("eth_getLogs", [{ address: many(4096, 20), topics: [many(4096, 32)] }]),
    ).toEqual([]);
  });
});
