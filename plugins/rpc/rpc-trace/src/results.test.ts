import type { Address } from "@plinth/core";
import {
  ALICE,
  BOB,
  createTestNode,
  DEV_GENESIS,
  signTransaction,
  type TestNode,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcTrace from "./index.js";

const COUNTS: Address = `0x${"c0".repeat(20)}`;
const PASSES: Address = `0x${"c1".repeat(20)}`;
const REVERTS: Address = `0x${"c2".repeat(20)}`;
const ENDS: Address = `0x${"c3".repeat(20)}`;
const EMPTY: Address = `0x${"c4".repeat(20)}`;
const MINER: Address = `0x${"00".repeat(20)}`;
const ALL = ["trace", "vmTrace", "stateDiff"];

/** Increments slot 0 and returns it in a byte. */
const COUNTS_CODE = "6000546001018060005360005560016000f3";
/** Passes 32 bytes of memory to another contract, and receives a byte at 2. */
const call = (to: Address, gas = "5a", op = "f1") =>
  `6001600260206000${op === "f1" ? "6000" : ""}73${to.slice(2)}${gas}${op}50`;
const FIRST_CREATED = "0x42699a7612a82f1d9c36148af9c77354759b210b";
const STARVED = call(COUNTS, "6064");
const CODES: Readonly<Record<Address, string>> = {
  [COUNTS]: COUNTS_CODE,
  [PASSES]: `${call(COUNTS)}${STARVED}${call(EMPTY)}${call(EMPTY, "5a", "f4")}`,
  [REVERTS]: "600160005260206000fd",
  [ENDS]: `73${BOB.slice(2)}ff`,
};
const GENESIS = {
  ...DEV_GENESIS,
  coinbase: MINER,
  alloc: {
    ...DEV_GENESIS.alloc,
    ...Object.fromEntries(
      Object.entries(CODES).map(([at, code]) => [at, { code: `0x${code}`, balance: "0x300" }]),
    ),
  },
};

interface Op {
  readonly pc: number;
  readonly cost: number;
  readonly ex: {
    readonly mem: object | null;
    readonly push: readonly string[];
    readonly store: object | null;
    readonly used: number;
  } | null;
  readonly sub: VmTrace | null;
}

interface VmTrace {
  readonly code: string;
  readonly ops: readonly Op[];
}

interface Result {
  readonly output: string;
  readonly revertReason?: string;
  readonly stateDiff: Readonly<Record<Address, object>> | null;
  readonly trace: readonly object[];
  readonly transactionHash?: string;
  readonly vmTrace: VmTrace | null;
}

describe("the state changes of a transaction", () => {
  it("are listed by account: balance, nonce and storage, before and after", async () => {
    await using chain = await mine([{ to: COUNTS }, { to: COUNTS, value: 2n }]);

    const [first, second] = await chain.replay(["stateDiff"]);

    expect(first?.stateDiff?.[COUNTS]).toEqual({
      balance: "=",
      code: "=",
      nonce: "=",
      storage: { [word(0)]: { "*": { from: word(0), to: word(1) } } },
    });
    // Compared with the state between the two.
    expect(second?.stateDiff?.[COUNTS]).toEqual({
      balance: { "*": { from: "0x300", to: "0x302" } },
      code: "=",
      nonce: "=",
      storage: { [word(0)]: { "*": { from: word(1), to: word(2) } } },
    });
    expect(first?.stateDiff?.[ALICE.address]).toMatchObject({
      code: "=",
      nonce: { "*": { from: "0x0", to: "0x1" } },
    });
    expect(Object.keys(first?.stateDiff ?? {})).toEqual([MINER, COUNTS, ALICE.address].sort());
    expect(first).toMatchObject({ output: "0x01", trace: [], vmTrace: null });
  });

  it("have a plus for new values, and a minus for removed ones", async () => {
    const init = "6007600055600160005360016000f3";
    await using chain = await mine([{ data: init }, { to: BOB, value: 5n }, { to: ENDS }]);

    const [created, sent, ended] = await chain.replay(["stateDiff"]);

    expect(created?.stateDiff?.[FIRST_CREATED]).toEqual({
      balance: { "+": "0x0" },
      code: { "+": "0x01" },
      nonce: { "+": "0x1" },
      storage: { [word(0)]: { "+": word(7) } },
    });
    expect(sent?.stateDiff?.[BOB]).toEqual({
      balance: { "+": "0x5" },
      code: { "+": "0x" },
      nonce: { "+": "0x0" },
      storage: {},
    });
    expect(ended?.stateDiff?.[ENDS]).toEqual({
      balance: { "-": "0x300" },
      code: { "-": `0x${CODES[ENDS]}` },
      nonce: { "-": "0x0" },
      storage: {},
    });
  });

  it("omit reverted changes", async () => {
    await using chain = await mine([{ to: REVERTS, value: 1n }]);

    const [reverted] = await chain.replay(["stateDiff", "trace"]);

    expect(Object.keys(reverted?.stateDiff ?? {})).toEqual([MINER, ALICE.address]);
    expect(reverted).toMatchObject({
      output: "0x",
      revertReason: word(1),
      trace: [{ error: "Reverted", revertReason: word(1) }],
    });
  });
});

describe("the instructions of a transaction", () => {
  it("have their costs, pushed items and writes", async () => {
    await using chain = await mine([{ to: COUNTS }]);

    const [{ vmTrace } = { vmTrace: null }] = await chain.replay(["vmTrace"]);

    const ops = vmTrace?.ops.map(({ pc, cost, ex }) => [pc, cost, ex?.push, ex?.mem, ex?.store]);
    expect(vmTrace?.code).toBe(`0x${COUNTS_CODE}`);
    expect(ops).toEqual([
      [0, 3, ["0x0"], null, null],
      [2, 2100, ["0x0"], null, null],
      [3, 3, ["0x1"], null, null],
      [5, 3, ["0x1"], null, null],
      [6, 3, ["0x1", "0x1"], null, null],
      [7, 3, ["0x0"], null, null],
      [9, 6, [], { data: "0x01", off: 0 }, null],
      [10, 3, ["0x0"], null, null],
      [12, 20_000, [], null, { key: "0x0", val: "0x1" }],
      [13, 3, ["0x1"], null, null],
      [15, 3, ["0x0"], null, null],
      [17, 0, [], null, null],
    ]);
    const left = 200_000 - 21_000;
    expect(vmTrace?.ops[0]?.ex?.used).toBe(left - 3);
    expect(vmTrace?.ops.at(-1)?.ex?.used).toBe(200_000 - Number(chain.gasUsed));
  });

  it("contain the instructions of inner calls", async () => {
    await using chain = await mine([{ to: PASSES }]);

    const [{ vmTrace } = { vmTrace: null }] = await chain.replay(["vmTrace"]);

    const calls = vmTrace?.ops.filter(({ sub }) => sub !== null) ?? [];
    const [whole, starved, empty, lent] = calls;
    expect(calls).toHaveLength(4);
    expect(whole?.sub?.code).toBe(`0x${COUNTS_CODE}`);
    expect(whole?.sub?.ops).toHaveLength(12);
    expect(whole?.ex).toMatchObject({ push: ["0x1"], mem: { data: "0x01", off: 2 } });
    // All the gas passed on is part of the cost of a call.
    const first = whole?.sub?.ops[0];
    expect(whole?.cost).toBe(2600 + (first?.ex?.used ?? 0) + 3 + 3);
    expect(starved?.sub?.ops.at(-1)).toMatchObject({ pc: 2, cost: 100, ex: null, sub: null });
    expect(starved?.ex).toMatchObject({ push: ["0x0"], mem: null });
    expect(empty).toMatchObject({ sub: { code: "0x", ops: [] }, ex: { mem: null } });
    expect(lent).toMatchObject({ cost: 100, sub: { code: "0x", ops: [] } });
  });

  it("are empty for a transfer", async () => {
    await using chain = await mine([{ to: BOB }]);

    expect(await chain.replay(["vmTrace"])).toMatchObject([{ vmTrace: { code: "0x", ops: [] } }]);
  });
});

describe("re-executed transactions", () => {
  it("return only the requested traces, whatever the letter case", async () => {
    await using chain = await mine([{ to: COUNTS }]);
    const [hash] = chain.hashes;

    const [plain] = await chain.replay([]);
    const [all] = await chain.replay(["VMTRACE", "statediff", "Trace", "trace"]);

    expect(plain).toEqual({
      output: "0x01",
      stateDiff: null,
      trace: [],
      transactionHash: hash,
      vmTrace: null,
    });
    expect(all).toMatchObject({ trace: [{ type: "call" }], stateDiff: {}, vmTrace: { ops: {} } });
    expect((all?.trace[0] as object) ?? {}).not.toHaveProperty("blockHash");
  });

  it("can also be traced one by one, except in Besu mode", async () => {
    await using chain = await mine([{ to: COUNTS }, { to: PASSES }]);
    await using besu = await mine([{ to: COUNTS }], "besu");
    const one = (node: TestNode, hash: unknown) => node.rpc("trace_replayTransaction", [hash, ALL]);

    const results = await chain.replay(ALL);
    expect(await one(chain.node, chain.hashes[0])).toEqual(results[0]);
    expect(await one(chain.node, chain.hashes[1])).toEqual(results[1]);
    expect(await one(chain.node, `0x${"11".repeat(32)}`)).toBeNull();
    await expect(one(besu.node, besu.hashes[0])).rejects.toMatchObject({ code: -32601 });
  });

  it.each(["plinth", "besu", "spec"])("are empty for the genesis block: %s", async (mode) => {
    await using chain = await mine([{ to: COUNTS }], mode);

    expect(await chain.replay(ALL, "0x0")).toEqual([]);
    expect(await chain.replay(ALL, "0x9")).toBeNull();
  });
});

describe("a simulated call", () => {
  const request = { from: ALICE.address, to: COUNTS, gas: "0x30d40", gasPrice: "0x3b9aca00" };

  it("runs on the state after a block", async () => {
    await using chain = await mine([{ to: COUNTS }]);
    const tried = (block: string) =>
      chain.node.rpc("trace_call", [request, ALL, block]) as Promise<Result>;

    const [before, after] = [await tried("0x0"), await tried("latest")];

    expect(before.output).toBe("0x01");
    expect(after).toMatchObject({ output: "0x02", trace: [{ action: { to: COUNTS } }] });
    expect(after.vmTrace?.ops).toHaveLength(12);
    expect(after.stateDiff?.[ALICE.address]).toMatchObject({
      nonce: { "*": { from: "0x1", to: "0x2" } },
    });
    expect(after).not.toHaveProperty("transactionHash");
    expect(await chain.node.rpc("trace_call", [request, ALL])).toEqual(after);
  });

  it("omits how contracts are created, and reports why it reverted", async () => {
    await using chain = await mine([]);
    const tried = (call: object) =>
      chain.node.rpc("trace_call", [call, ["trace"]]) as Promise<Result>;

    const created = await tried({ from: ALICE.address, data: "0x600160005360016000f3" });
    const reverted = await tried({ from: ALICE.address, to: REVERTS });

    expect(created).toMatchObject({ output: "0x01", trace: [{ result: { code: "0x01" } }] });
    expect(Object(created.trace[0]).action).not.toHaveProperty("creationMethod");
    expect(reverted).toMatchObject({ output: word(1), trace: [{ revertReason: word(1) }] });
    expect(reverted).not.toHaveProperty("revertReason");
  });

  it("must be able to pay its fees in Besu mode", async () => {
    const free = { from: BOB, to: COUNTS, gas: "0x30d40" };
    await using chain = await mine([]);
    await using besu = await mine([], "besu");
    const tried = ({ node }: typeof chain, call: object) =>
      node.rpc("trace_call", [call, [], "latest"]) as Promise<Result>;

    expect(await tried(chain, free)).toMatchObject({ output: "0x01" });
    await expect(tried(besu, free)).rejects.toMatchObject({
      code: -32603,
      message: "Internal error",
    });
    const poor = { ...free, gasPrice: "0x3b9aca00" };
    await expect(tried(besu, poor)).rejects.toMatchObject({ code: -32603 });
    expect(await tried(besu, request)).toMatchObject({ output: "0x01" });
  });
});

describe("simulated calls", () => {
  const request = { from: ALICE.address, to: COUNTS, gas: "0x30d40", gasPrice: "0x3b9aca00" };

  it("run each on the state after the previous one", async () => {
    await using chain = await mine([]);
    const calls = [
      [request, ["vmTrace"]],
      [{ ...request, to: REVERTS }, []],
      [request, ["stateDiff"]],
    ];

    const results = (await chain.node.rpc("trace_callMany", [calls, "latest"])) as Result[];

    expect(results.map(({ output }) => output)).toEqual(["0x01", word(1), "0x02"]);
    expect(results[2]?.stateDiff?.[COUNTS]).toMatchObject({
      storage: { [word(0)]: { "*": { from: word(1), to: word(2) } } },
    });
    expect(results[2]?.stateDiff?.[ALICE.address]).toMatchObject({
      nonce: { "*": { from: "0x2", to: "0x3" } },
    });
    expect(await chain.node.rpc("trace_callMany", [[]])).toEqual([]);
    // Nothing is persisted.
    const [again] = (await chain.node.rpc("trace_callMany", [calls])) as Result[];
    expect(again?.output).toBe("0x01");
  });

  it("are all rejected if one is invalid", async () => {
    await using chain = await mine([]);
    const calls = [
      [request, ALL],
      [{ ...request, gas: "0x1" }, []],
    ];

    await expect(chain.node.rpc("trace_callMany", [calls])).rejects.toMatchObject({
      code: -32603,
      data: expect.stringContaining("intrinsic gas"),
    });
  });

  it.each([
    ["trace_call", [{ gas: "0x1" }, ["trace"], "latest"]],
    ["trace_callMany", [[[{ gas: "0x1" }, ["trace"]]], "latest"]],
  ])("are rejected without a reason in Besu mode: %s", async (method, params) => {
    await using besu = await mine([], "besu");

    await expect(besu.node.rpc(method, params)).rejects.toMatchObject({
      code: -32603,
      message: "Internal error",
      data: undefined,
    });
  });

  it("require a block in Besu mode", async () => {
    await using besu = await mine([], "besu");

    await expect(besu.node.rpc("trace_callMany", [[]])).rejects.toMatchObject({
      code: -32602,
      message: "Invalid number of params",
    });
    expect(await besu.node.rpc("trace_callMany", [[], "latest"])).toEqual([]);
  });
});

describe("an unsent signed transaction", () => {
  it("runs on the head block, regardless of its nonce", async () => {
    await using chain = await mine([{ to: COUNTS }]);
    const raw = await signTransaction({ nonce: 77, to: COUNTS, gasLimit: 100_000n });

    const result = await chain.node.rpc("trace_rawTransaction", [raw, ALL]);

    expect(result).toMatchObject({
      output: "0x02",
      trace: [{ action: { from: ALICE.address, gas: `0x${(79_000).toString(16)}` } }],
      stateDiff: { [ALICE.address]: { nonce: { "*": { from: "0x1", to: "0x2" } } } },
    });
  });

  it("must be able to pay what it offers", async () => {
    await using chain = await mine([]);
    const raw = await signTransaction({ to: COUNTS, gasLimit: 100_000n, value: 10n ** 30n });

    await expect(chain.node.rpc("trace_rawTransaction", [raw, []])).rejects.toMatchObject({
      code: -32603,
      data: expect.stringContaining("exceeds transaction sender account balance"),
    });
  });
});

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** A chain whose first block contains calls of Alice's, with 200,000 gas each. */
async function mine(
  calls: readonly { readonly to?: Address; readonly data?: string; readonly value?: bigint }[],
  rpcCompatibility = "plinth",
) {
  const options = { rpcCompatibility };
  const node = await createTestNode({ plugins: [rpcTrace], genesis: GENESIS, options });
  const [header] = await node.mine(
    calls.map((fields) => {
      const { to, ...rest } = { value: 0n, gasLimit: 200_000n, ...fields };
      return to === undefined ? rest : transfer({ ...rest, to });
    }),
  );
  const block = header && node.node.blocks.findBlock(header.hash);
  if (block === undefined) throw new Error("no block was made");
  return {
    node,
    hashes: block.body.transactions.map(({ hash }) => hash),
    gasUsed: block.header.gasUsed,
    replay: (types: readonly string[], id = "latest") =>
      node.rpc("trace_replayBlockTransactions", [id, types]) as Promise<readonly Result[]>,
    [Symbol.asyncDispose]: () => node.stop(),
  };
}
