import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, createMemoryStorageDriver, definePlugin, hexToBytes } from "@plinth/core";
import { BOB, createTestNode, DEV_GENESIS, recordLogs, transfer } from "@plinth/testing";
import { afterAll, describe, expect, it } from "vitest";
import rpcDebug from "./index.js";

const ADDER: Address = "0x00000000000000000000000000000000000000aa";
const UNKNOWN = `0x${"11".repeat(32)}`;
/** Writes 5 into memory and returns it. */
const GENESIS = {
  ...DEV_GENESIS,
  alloc: { ...DEV_GENESIS.alloc, [ADDER]: { code: "0x600560005260206000f3" } },
};
const folder = mkdtempSync(join(tmpdir(), "plinth-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("trace files", () => {
  it("have a line for every step, and one for the end", async () => {
    await using chain = await mine(join(folder, "lines"));

    const [path = "", transfer = ""] = await chain.write({ disableMemory: false });

    expect(path).toMatch(
      new RegExp(`traces/block_${chain.hash.slice(0, 10)}-0-0x[0-9a-f]{8}-\\d+$`),
    );
    const lines = readLines(path);
    expect(lines.map(({ opName }) => opName)).toEqual([
      ...["PUSH1", "PUSH1", "MSTORE", "PUSH1", "PUSH1", "RETURN"],
      undefined,
    ]);
    expect(lines[0]).toEqual({
      pc: 0,
      op: 0x60,
      gas: expect.stringMatching(/^0x/),
      gasCost: "0x3",
      memSize: 0,
      stack: [],
      depth: 1,
      refund: 0,
      opName: "PUSH1",
    });
    expect(lines[3]).toMatchObject({ memory: `0x${word(5)}`, memSize: 32 });
    expect(lines.at(-1)).toEqual({
      output: word(5),
      gasUsed: expect.stringMatching(/^0x/),
      time: expect.any(Number),
    });
    expect(readLines(transfer)).toMatchObject([{ output: "", gasUsed: "0x5208" }]);
  });

  it("have no memory by default, and only the selected transaction", async () => {
    await using chain = await mine(join(folder, "options"));

    const paths = await chain.write({ txHash: chain.second });

    expect(paths).toHaveLength(1);
    expect(paths[0]).toContain(`-1-${chain.second.slice(0, 10)}-`);
    const [first = ""] = await chain.write();
    expect(readLines(first).every((line) => !("memory" in line))).toBe(true);
    expect(await chain.write({ txHash: UNKNOWN })).toEqual([]);
  });

  it("exist only for known blocks, bad or good", async () => {
    await using chain = await mine(join(folder, "unknown"));
    const call = (kind: string, ...params: unknown[]) =>
      chain.node.rpc(`debug_standardTrace${kind}ToFile`, params);

    await expect(call("Block", UNKNOWN)).rejects.toMatchObject({
      code: -32000,
      message: "Block not found",
    });
    await expect(call("BadBlock", chain.hash)).rejects.toThrow("Block not found");
    await expect(call("Block", "0x1")).rejects.toThrow("Invalid block hash params");
    await expect(call("Block", chain.hash, { disableMemory: 1 })).rejects.toThrow(
      "Invalid transaction trace params",
    );
    expect(existsSync(join(folder, "unknown", "traces"))).toBe(false);
  });

  it("are written for a rejected block", async () => {
    await using chain = await mine(join(folder, "bad"));
    const { blocks } = chain.node.node;
    const block = blocks.findBlock(chain.hash);
    if (block === undefined) throw new Error("no block was made");
    const wrong = { ...block, header: { ...block.header, stateRoot: block.header.parentHash } };
    await expect(blocks.import(wrong, { origin: "peer" })).rejects.toThrow("state-root");
    const [bad] = (await chain.node.rpc("debug_getBadBlocks")) as { readonly hash: string }[];

    const paths = await chain.node.rpc("debug_standardTraceBadBlockToFile", [bad?.hash]);

    expect(bad?.hash).not.toBe(chain.hash);
    expect(paths).toHaveLength(2);
  });

  it("are an error if they cannot be written", async () => {
    const dataPath = join(folder, "a-file");
    await using chain = await mine(dataPath);
    writeFileSync(dataPath, "");

    await expect(chain.write()).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("is not writable"),
    });
  });
});

describe("a rebuild of states", () => {
  it.each([
    ["debug_resyncWorldState", "FOREST"],
    ["debug_resyncWorldstate", "FOREST"],
    ["debug_resyncWorldState", "BONSAI"],
  ] as const)("by %s, in a database with the format %s", async (method, format) => {
    const kept = await createMemoryStorageDriver().open({ folder: "" });
    const storage = definePlugin({
      name: "storage-kept",
      setup: ({ storage }) => storage.driver({ name: "kept", open: async () => kept }),
    });
    const logs = recordLogs();
    const options = { keyValueStorage: "kept", dataStorageFormat: format };
    await using node = await createTestNode({ plugins: [rpcDebug, storage], options, logs });
    await node.mine([transfer()], [transfer()]);
    const { blocks } = node.node;
    const problems = () => [...(blocks.verifyState() ?? [])].flatMap((step) => step.problems);
    const roots = [blocks.head(), blocks.findHeader(0n)].map((header) =>
      hexToBytes(header?.stateRoot ?? "0x"),
    );
    const lost =
      format === "FOREST"
        ? roots.map((root) => ["trie-nodes", root] as const)
        : [["account-nodes", new Uint8Array()] as const];
    const batch = kept.batch();
    for (const [table, key] of lost) batch.delete(table, key);
    await batch.commit();
    expect(problems()).toHaveLength(1);

    expect(await node.rpc(method)).toBe("Success");
    while (!logs.entries.some(({ message }) => message.startsWith("rebuilt the states"))) {
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(problems()).toEqual([]);
    for (const [table, key] of lost) expect(kept.table(table).getSync(key)).toBeDefined();
  });
});

it("a rebuild of states continues when its caller has left", async () => {
  const logs = recordLogs();
  await using node = await createTestNode({ plugins: [rpcDebug], logs });
  await node.mine([transfer()]);
  const endpoint = node.node.rpc.endpoint({
    name: "leaving",
    transport: "test",
    namespaces: ["debug"],
    duplex: false,
    maxBatchSize: 0,
  });
  const caller = new AbortController();
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "debug_resyncWorldState" });
  const called = node.node.rpc.answer(body, { endpoint, closed: caller.signal });
  caller.abort(new Error("the caller has left"));
  await called;
  while (!logs.entries.some(({ message }) => /^rebuilt the states|failed/.test(message))) {
    await new Promise((resolve) => setImmediate(resolve));
  }

  expect(logs.entries.filter(({ level }) => level === "error")).toEqual([]);
});

it("returns the metrics of the node", async () => {
  const counting = definePlugin({
    name: "counting",
    setup({ metrics }) {
      const plain = metrics.counter({ name: "things", help: "Things." });
      const labelled = metrics.gauge({ name: "places", help: "Places.", labels: ["side", "kind"] });
      const timed = metrics.histogram({ name: "wait_seconds", help: "Waits.", buckets: [1, 5] });
      plain.increment(3);
      labelled.set(7, { side: "left", kind: "big" });
      timed.observe(2);
    },
  });
  await using node = await createTestNode({ plugins: [rpcDebug, counting] });

  expect(await node.rpc("debug_metrics")).toMatchObject({
    counting: {
      things_total: 3,
      places: { left: { big: 7 } },
      wait_seconds: { bucket: { "1": 0, "5": 1, "+Inf": 1 }, count: 1, sum: 2 },
    },
  });
});

function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}

function readLines(path: string): readonly Readonly<Record<string, unknown>>[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** A block with a call of the adder and a transfer. */
async function mine(dataPath: string) {
  const options = { dataPath, keyValueStorage: "memory" };
  const node = await createTestNode({ plugins: [rpcDebug], genesis: GENESIS, options });
  const call = transfer({ to: ADDER, value: 0n, gasLimit: 100_000n });
  const [header] = await node.mine([call, transfer({ to: BOB })]);
  const hash = header?.hash ?? "0x";
  const second = node.node.blocks.findBlock(hash)?.body.transactions[1]?.hash ?? "0x";
  return {
    node,
    hash,
    second,
    write: async (options: object = {}) =>
      (await node.rpc("debug_standardTraceBlockToFile", [hash, options])) as string[],
    [Symbol.asyncDispose]: () => node.stop(),
  };
}
