import { type Address, encodeBlock, toHex } from "@plinth/core";
import { ALICE, BOB, createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcDebug from "./index.js";

const OUTER: Address = "0x00000000000000000000000000000000000000aa";
const INNER: Address = "0x00000000000000000000000000000000000000bb";
const REVERTS: Address = "0x00000000000000000000000000000000000000cc";
const BREAKS: Address = "0x00000000000000000000000000000000000000dd";
const UNKNOWN = `0x${"11".repeat(32)}`;

/** Calls INNER with 5 wei and the selector 0xaabbccdd, and stores the result in slot 1. */
const OUTER_CODE = `63aabbccdd60005260006000600460 1c600573${INNER.slice(2)}61c350f1600155`.replace(
  " ",
  "",
);
/** Stores 7 in slot 2. */
const INNER_CODE = "6007600255";
/** Reverts with one word: 1. */
const REVERTS_CODE = "600160005260206000fd";
const BREAKS_CODE = "60016002600355fe";
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    [OUTER]: { code: `0x${OUTER_CODE}`, balance: "0x64" },
    [INNER]: { code: `0x${INNER_CODE}` },
    [REVERTS]: { code: `0x${REVERTS_CODE}` },
    [BREAKS]: { code: `0x${BREAKS_CODE}` },
  },
};

interface StructLog {
  readonly op: string;
  readonly depth: number;
  readonly gas: number;
  readonly gasCost: number;
  readonly storage?: object;
}

interface Trace {
  readonly gas: number;
  readonly failed: boolean;
  readonly returnValue: string;
  readonly structLogs: readonly StructLog[];
}

describe("the steps of a transaction", () => {
  it("are those of its code, with their costs and effects", async () => {
    await using chain = await mine(OUTER);

    const trace = (await chain.trace()) as Trace;

    expect(trace).toMatchObject({ failed: false, returnValue: "" });
    expect(trace.structLogs.map(({ op, depth }) => `${depth} ${op}`)).toEqual([
      ...["PUSH4", "PUSH1", "MSTORE", "PUSH1", "PUSH1", "PUSH1", "PUSH1", "PUSH1"].map(
        (op) => `1 ${op}`,
      ),
      ...["PUSH20", "PUSH2", "CALL"].map((op) => `1 ${op}`),
      ...["PUSH1", "PUSH1", "SSTORE", "STOP"].map((op) => `2 ${op}`),
      ...["PUSH1", "SSTORE", "STOP"].map((op) => `1 ${op}`),
    ]);
    const call = trace.structLogs.find(({ op }) => op === "CALL");
    const first = trace.structLogs.find(({ depth }) => depth === 2);
    // Its cost includes the gas it passes on, with the stipend.
    expect(call?.gasCost).toBeGreaterThan(50_000 + 2300);
    expect(first?.gas).toBe(50_000 + 2300);
    expect(trace.structLogs.findLast(({ depth }) => depth === 2)?.storage).toEqual({
      [digits(2)]: digits(7),
    });
    expect(trace.structLogs.at(-1)?.storage).toEqual({ [digits(1)]: digits(1) });
  });

  it("omit what the options disable", async () => {
    await using chain = await mine(OUTER);
    const options = { disableStorage: true, disableMemory: true, disableStack: true };

    const trace = (await chain.trace(options)) as Trace;

    for (const log of trace.structLogs) {
      expect(log).toMatchObject({ stack: null, memory: null, storage: null, reason: null });
    }
  });

  it("show the revert data and where it reverted", async () => {
    await using chain = await mine(REVERTS);

    const trace = (await chain.trace()) as Trace;

    expect(trace).toMatchObject({ failed: true, returnValue: "" });
    expect(trace.structLogs.at(-1)).toMatchObject({ op: "REVERT", reason: "0x1" });
  });

  it("show where it halted, and why", async () => {
    await using chain = await mine(BREAKS);

    const trace = (await chain.trace()) as Trace;

    expect(trace.structLogs.at(-1)).toMatchObject({
      op: "INVALID",
      gasCost: 0,
      error: ["INVALID_OPERATION"],
    });
  });

  it("are one STOP if there is no code", async () => {
    await using chain = await mine(BOB);

    const trace = (await chain.trace()) as Trace;

    expect(trace.gas).toBe(21_000);
    expect(trace.structLogs).toEqual([
      {
        pc: 0,
        op: "STOP",
        gas: 179_000,
        gasCost: 0,
        depth: 1,
        stack: [],
        memory: [],
        storage: {},
        reason: null,
      },
    ]);
  });

  it("have geth's format on request", async () => {
    await using chain = await mine(OUTER, "spec");

    const trace = (await chain.trace({ enableMemory: true })) as Trace;

    expect(trace.returnValue).toBe("0x");
    expect(trace.structLogs[2]).toMatchObject({ op: "MSTORE", stack: ["0xaabbccdd", "0x0"] });
    expect(trace.structLogs[2]).toMatchObject({ memory: [] });
    const stores = trace.structLogs.filter(({ op }) => op === "SSTORE");
    expect(stores.map(({ storage }) => storage)).toEqual([
      { [`0x${digits(2)}`]: `0x${digits(7)}` },
      { [`0x${digits(1)}`]: `0x${digits(1)}` },
    ]);
    expect(await chain.trace({ limit: 3 })).toMatchObject({ structLogs: { length: 3 } });
  });
});

describe("blocks", () => {
  it("are traced by number, by hash and from the given RLP", async () => {
    await using chain = await mine(OUTER);
    const { node, block } = chain;

    const byNumber = await node.rpc("debug_traceBlockByNumber", ["0x1"]);
    const byHash = await node.rpc("debug_traceBlockByHash", [block.header.hash]);
    const given = await node.rpc("debug_traceBlock", [toHex(encodeBlock(block))]);

    expect(byNumber).toEqual([await chain.trace()]);
    expect(byHash).toEqual(byNumber);
    expect(given).toEqual(byNumber);
  });

  it("name their transactions in geth's format", async () => {
    await using chain = await mine(OUTER, "spec");

    expect(await chain.node.rpc("debug_traceBlockByNumber", ["latest"])).toEqual([
      { txHash: chain.hash, result: await chain.trace() },
    ]);
  });

  it.each([
    ["debug_traceTransaction", [UNKNOWN], "transaction not found"],
    ["debug_traceBlockByHash", [UNKNOWN], `block ${UNKNOWN} not found`],
    ["debug_traceBlockByNumber", ["0x9"], "block #9 not found"],
    ["debug_traceBlockByNumber", ["0x0"], "genesis is not traceable"],
  ])("%s of %j is null, or an error as in geth", async (method, params, message) => {
    await using plain = await mine(OUTER);
    await using spec = await mine(OUTER, "spec");

    expect(await plain.node.rpc(method, params)).toBeNull();
    await expect(spec.node.rpc(method, params)).rejects.toMatchObject({ code: -32000, message });
  });

  it.each([
    ["debug_traceTransaction", ["0x1"], "Invalid transaction hash params"],
    ["debug_traceBlockByHash", ["0x1"], "Invalid block hash params"],
    ["debug_traceBlockByNumber", ["one"], "Invalid block, unable to parse RLP"],
    ["debug_traceBlock", ["0x00"], "Invalid block, unable to parse RLP"],
    ["debug_traceBlock", ["block"], "Invalid block, unable to parse RLP"],
    ["debug_traceTransaction", [UNKNOWN, "fast"], "Invalid transaction trace params"],
    ["debug_traceTransaction", [UNKNOWN, { disableStack: 1 }], "Invalid transaction trace params"],
  ])("%s of %j is rejected", async (method, params, message) => {
    await using chain = await mine(OUTER);

    await expect(chain.node.rpc(method, params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });

  it("are not traced without the parent block", async () => {
    await using chain = await mine(OUTER);
    const { header, body } = chain.block;
    const orphan = { header: { ...header, parentHash: UNKNOWN as Address }, body };

    await expect(
      chain.node.rpc("debug_traceBlock", [toHex(encodeBlock(orphan))]),
    ).rejects.toMatchObject({ code: -32000, message: "Parent block not found" });
  });
});

describe("named tracers", () => {
  it("callTracer nests the calls", async () => {
    await using chain = await mine(OUTER);

    expect(await chain.trace({ tracer: "callTracer" })).toEqual({
      from: ALICE.address,
      gas: "0x30d40",
      gasUsed: `0x${chain.gasUsed.toString(16)}`,
      to: OUTER,
      input: "0x",
      calls: [
        {
          from: OUTER,
          gas: "0xcc4c",
          gasUsed: expect.stringMatching(/^0x/),
          to: INNER,
          input: "0xaabbccdd",
          value: "0x5",
          type: "CALL",
        },
      ],
      value: "0x0",
      type: "CALL",
    });
    const config = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } };
    expect(await chain.trace(config)).not.toHaveProperty("calls");
  });

  it("callTracer reports failures with geth's messages", async () => {
    await using reverted = await mine(REVERTS);
    await using broken = await mine(BREAKS);

    expect(await reverted.trace({ tracer: "callTracer" })).toMatchObject({
      error: "execution reverted",
      output: `0x${digits(1)}`,
    });
    expect(await broken.trace({ tracer: "callTracer" })).toMatchObject({
      error: "invalid opcode: INVALID",
    });
  });

  it("prestateTracer returns the accessed and changed accounts", async () => {
    await using chain = await mine(OUTER);

    const before = await chain.trace({ tracer: "prestateTracer" });
    const config = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };
    const changed = await chain.trace(config);

    expect(before).toMatchObject({
      [OUTER]: { balance: "0x64", storage: { [`0x${digits(1)}`]: `0x${digits(0)}` } },
      [INNER]: { balance: "0x0", code: `0x${INNER_CODE}` },
      [ALICE.address]: { balance: expect.any(String) },
    });
    expect(changed).toMatchObject({
      pre: { [OUTER]: { balance: "0x64" } },
      post: {
        [OUTER]: { balance: "0x5f", storage: { [`0x${digits(1)}`]: `0x${digits(1)}` } },
        [INNER]: { balance: "0x5", storage: { [`0x${digits(2)}`]: `0x${digits(7)}` } },
        [ALICE.address]: { nonce: 1 },
      },
    });
  });

  it("4byteTracer, noopTracer and muxTracer have their own formats", async () => {
    await using chain = await mine(OUTER);
    const fourBytes = { "0xaabbccdd-0": 1 };

    expect(await chain.trace({ tracer: "4byteTracer" })).toEqual(fourBytes);
    expect(await chain.trace({ tracer: "noopTracer" })).toEqual({});
    const tracerConfig = { "4byteTracer": {}, noopTracer: null };
    expect(await chain.trace({ tracer: "muxTracer", tracerConfig })).toEqual({
      "4byteTracer": fourBytes,
      noopTracer: {},
    });
  });

  it("list the calls with their trace addresses", async () => {
    await using chain = await mine(OUTER);

    const traces = await chain.trace({ tracer: "flatCallTracer" });
    const call = { to: OUTER, gas: "0x30d40" };
    const tried = await chain.node.rpc("debug_traceCall", [
      call,
      "latest",
      { tracer: "flatCallTracer" },
    ]);

    const place = { blockNumber: 1, transactionHash: chain.hash, transactionPosition: 0 };
    expect(traces).toMatchObject([
      { ...place, action: { to: OUTER }, subtraces: 1, traceAddress: [], type: "call" },
      { ...place, action: { from: OUTER, to: INNER }, subtraces: 0, traceAddress: [0] },
    ]);
    expect(tried).toMatchObject([{ action: { to: OUTER } }, { action: { to: INNER } }]);
    expect((tried as object[])[0]).not.toHaveProperty("blockHash");
  });

  it.each([{ tracer: "myTracer" }, { tracer: "muxTracer", tracerConfig: { other: {} } }])(
    "%j is unknown, and ignored in Besu mode",
    async (options) => {
      await using chain = await mine(OUTER);
      await using besu = await mine(OUTER, "besu");

      await expect(chain.trace(options)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining("Invalid transaction trace params"),
      });
      expect(await besu.trace(options)).toHaveProperty("structLogs");
    },
  );
});

describe("a simulated call", () => {
  it("is traced on the state after a block", async () => {
    await using chain = await mine(BOB);
    const request = { from: ALICE.address, to: OUTER, gas: "0x30d40" };

    const trace = (await chain.node.rpc("debug_traceCall", [request, "latest"])) as Trace;
    const named = await chain.node.rpc("debug_traceCall", [
      request,
      "0x0",
      { tracer: "4byteTracer" },
    ]);

    expect(trace.structLogs).toHaveLength(18);
    expect(named).toEqual({ "0xaabbccdd-0": 1 });
  });

  it("may run overridden code", async () => {
    await using chain = await mine(BOB);
    const stateOverrides = { [BOB]: { code: "0x6001" } };

    const trace = await chain.node.rpc("debug_traceCall", [
      { to: BOB },
      "latest",
      { stateOverrides },
    ]);

    expect((trace as Trace).structLogs.map(({ op }) => op)).toEqual(["PUSH1", "STOP"]);
  });

  it("is an error if its fees cannot be credited, although its steps could be shown", async () => {
    await using chain = await mine(BOB);
    const request = { from: ALICE.address, to: OUTER, gas: "0x30d40", gasPrice: "0x3b9aca00" };
    const options = {
      stateOverrides: { [BOB]: { balance: `0x${"ff".repeat(32)}` } },
      blockOverrides: { feeRecipient: BOB },
    };

    await expect(
      chain.node.rpc("debug_traceCall", [request, "latest", options]),
    ).rejects.toMatchObject({
      code: -32000,
      message: `the balance of ${BOB} would exceed 256 bits`,
    });
  });

  it.each([
    ["callTracer", { withLog: true }, `0x7f${"ff".repeat(32)}5fa000`],
    ["prestateTracer", {}, `0x5f7f${"ff".repeat(32)}5f5ff500`],
  ])("may reference excessive memory: %s", async (tracer, tracerConfig, code) => {
    await using chain = await mine(BOB);
    const options = { tracer, tracerConfig, stateOverrides: { [BOB]: { code } } };

    const trace = await chain.node.rpc("debug_traceCall", [{ to: BOB }, "latest", options]);

    expect(trace).not.toHaveProperty("logs");
  });

  it.each(["callTracer", "flatCallTracer"])(
    "is aborted if its calls hold too much: %s",
    async (tracer) => {
      await using chain = await mine(BOB);
      // Repeatedly calls an account without code with one mebibyte.
      const code = "0x5b60006000621000006000600061ffff5af150600056";
      const options = { tracer, stateOverrides: { [BOB]: { code } } };
      const request = { to: BOB, gas: "0x2faf080" };

      await expect(
        chain.node.rpc("debug_traceCall", [request, "latest", options]),
      ).rejects.toMatchObject({
        code: -32000,
        message: "execution aborted: the trace is larger than 268435456 bytes",
      });
    },
  );

  it("is rejected before any output if it cannot run", async () => {
    await using chain = await mine(BOB);
    const call = (...params: unknown[]) => chain.node.rpc("debug_traceCall", params);

    await expect(call({ to: OUTER, gas: "0x1" })).rejects.toMatchObject({ code: -32003 });
    await expect(call({ to: OUTER }, "0x9")).rejects.toThrow("Block not found");
    await expect(call("call", "latest")).rejects.toThrow("Invalid call params");
    await expect(call("call")).rejects.toThrow("Invalid call params");
  });

  it("must be able to pay its fees in Besu mode by default", async () => {
    await using plinth = await mine(BOB);
    await using besu = await mine(BOB, "besu");
    const request = { from: BOB, to: OUTER, gasPrice: "0x77359400", gas: "0x30d40" };
    const call = (chain: typeof besu, more: object = {}) =>
      chain.node.rpc("debug_traceCall", [{ ...request, ...more }, "latest"]);

    expect(await call(plinth)).toHaveProperty("structLogs");
    expect(await call(besu, { strict: false })).toHaveProperty("structLogs");
    await expect(call(besu)).rejects.toMatchObject({
      code: -32603,
      message: "Internal error",
      data: expect.stringContaining("exceeds"),
    });
  });
});

function digits(value: number): string {
  return value.toString(16).padStart(64, "0");
}

/** A block with one call of Alice's, with 200,000 gas. */
async function mine(to: Address, rpcCompatibility = "plinth") {
  const options = { rpcCompatibility };
  const node = await createTestNode({ plugins: [rpcDebug], genesis: GENESIS, options });
  const [header] = await node.mine([transfer({ to, value: 0n, gasLimit: 200_000n })]);
  const block = header && node.node.blocks.findBlock(header.hash);
  const hash = block?.body.transactions[0]?.hash;
  if (block === undefined || hash === undefined) throw new Error("no block was made");
  return {
    node,
    block,
    hash,
    gasUsed: block.header.gasUsed,
    trace: (options: object = {}) => node.rpc("debug_traceTransaction", [hash, options]),
    [Symbol.asyncDispose]: () => node.stop(),
  };
}
