import type { Address } from "@plinth/core";
import { ALICE, BOB, createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcTrace from "./index.js";

const address = (digit: string): Address => `0x${digit.repeat(40)}`;

const OUTER = address("1");
const INNER = address("2");
const REVERTS = address("3");
const BREAKS = address("4");
const MAKER = address("5");
const SALTED_MAKER = address("6");
const ENDS = address("7");
const ASKS = address("8");
const LENDS = address("9");
const TIGHT = address("a");

/** Returns one byte of code: 0xff. */
const INIT_CODE = "60ff60005360016000f3";
/** Six zero words for a call, then the callee. */
const call = (to: Address) => `6000600060006000600073${to.slice(2)}5af1`;
const CODES: Readonly<Record<Address, string>> = {
  // Calls INNER with 5 wei and four bytes.
  [OUTER]: `63aabbccdd600052600060006004601c600573${INNER.slice(2)}61c350f150`,
  // Stores 7 in slot 2.
  [INNER]: "6007600255",
  // Reverts with one word: 1.
  [REVERTS]: "600160005260206000fd",
  [BREAKS]: "fe",
  [MAKER]: `69${INIT_CODE}600052600a60166000f000`,
  [SALTED_MAKER]: `69${INIT_CODE}6000526000600a60166000f500`,
  [ENDS]: `73${BOB.slice(2)}ff`,
  // Calls the precompile at address 4.
  [ASKS]: "6020600060206000600060045af100",
  [LENDS]: `600060006000600073${INNER.slice(2)}5af400`,
  // Calls INNER with too little gas.
  [TIGHT]: `6000600060006000600073${INNER.slice(2)}6064f1${call(REVERTS)}00`,
};
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    ...Object.fromEntries(
      Object.entries(CODES).map(([at, code]) => [at, { code: `0x${code}`, balance: "0x300" }]),
    ),
  },
};
const UNKNOWN = `0x${"11".repeat(32)}`;

interface Trace {
  readonly action: Readonly<Record<string, string>>;
  readonly result?: Readonly<Record<string, string>> | null;
  readonly error?: string;
  readonly revertReason?: string;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
  readonly type: string;
}

describe("the calls of a transaction", () => {
  it("are listed before their inner calls, with their trace addresses", async () => {
    await using chain = await mine([{ to: OUTER }]);
    const [hash] = chain.hashes;

    const traces = await chain.traces();

    const place = {
      blockHash: chain.block.header.hash,
      blockNumber: 1,
      transactionHash: hash,
      transactionPosition: 0,
    };
    expect(traces).toEqual([
      {
        action: {
          callType: "call",
          from: ALICE.address,
          gas: quantity(200_000n - 21_000n),
          input: "0x",
          to: OUTER,
          value: "0x0",
        },
        ...place,
        result: { gasUsed: quantity(chain.block.header.gasUsed - 21_000n), output: "0x" },
        subtraces: 1,
        traceAddress: [],
        type: "call",
      },
      {
        action: {
          callType: "call",
          from: OUTER,
          // With the stipend.
          gas: quantity(50_000n + 2300n),
          input: "0xaabbccdd",
          to: INNER,
          value: "0x5",
        },
        ...place,
        result: { gasUsed: quantity(3n + 3n + 22_100n), output: "0x" },
        subtraces: 0,
        traceAddress: [0],
        type: "call",
      },
    ]);
  });

  it("are one for a transfer, and one for a direct call of a precompile", async () => {
    const precompile: Address = `0x${"04".padStart(40, "0")}`;
    await using chain = await mine([{ to: BOB }, { to: precompile }, { to: ASKS }]);

    expect(await chain.traces(0)).toMatchObject([{ result: { gasUsed: "0x0", output: "0x" } }]);
    expect(await chain.traces(1)).toMatchObject([{ result: { gasUsed: quantity(15n) } }]);
    expect(await chain.traces(2)).toMatchObject([{ action: { to: ASKS }, subtraces: 0 }]);
  });

  it("name the account whose code runs, and keep the contract as the context", async () => {
    await using chain = await mine([{ to: LENDS }]);

    expect((await chain.traces())[1]).toMatchObject({
      action: { callType: "delegatecall", from: LENDS, to: INNER },
    });
  });

  it("include created contracts, and how they were created", async () => {
    await using chain = await mine([{ to: MAKER }, { to: SALTED_MAKER }]);

    for (const [index, creationMethod] of ["create", "create2"].entries()) {
      expect((await chain.traces(index))[1]).toMatchObject({
        action: { creationMethod, init: `0x${INIT_CODE}`, value: "0x0" },
        // Includes the code deposit cost.
        result: { code: "0xff", gasUsed: quantity(3n + 3n + 6n + 3n + 3n + 200n) },
        type: "create",
      });
    }
  });

  it("include the creator inside of a creation, except in Besu mode", async () => {
    const data = `${call(SALTED_MAKER)}${call(MAKER)}00`;
    const creations = async (mode: string) => {
      await using chain = await mine([{ to: undefined, data }], { mode });
      const made = (await chain.traces()).filter(({ type }) => type === "create");
      return made.map(({ action }) => [action.creationMethod, action.from]);
    };

    const [top, ...inner] = await creations("plinth");
    expect(top).toEqual(["create", ALICE.address]);
    expect(inner).toEqual([
      ["create2", SALTED_MAKER],
      ["create", MAKER],
    ]);
    const besu = await creations("besu");
    expect(besu.map(([method]) => method)).toEqual(["create2", "create2", "create2"]);
    // Both come from the contract that the transaction creates: by Alice, with her first nonce.
    const outermost = "0x42699a7612a82f1d9c36148af9c77354759b210b";
    expect(besu.slice(1).map(([, from]) => from)).toEqual([outermost, outermost]);
    expect(await creations("spec")).toEqual([top, ...inner]);
  });

  it("omit a creation that could not start, except in Besu mode", async () => {
    const inner = async (mode: string) => {
      await using chain = await mine([{ to: SALTED_MAKER }, { to: SALTED_MAKER }], { mode });
      return (await chain.traces(1)).slice(1);
    };

    expect(await inner("plinth")).toEqual([]);
    expect(await inner("besu")).toMatchObject([{ type: "create", error: "Illegal state change" }]);
  });

  it("include a self-destruct, inside of its frame", async () => {
    await using chain = await mine([{ to: ENDS }]);
    const { gasUsed } = chain.block.header;

    expect(await chain.traces()).toMatchObject([
      { subtraces: 1, result: { gasUsed: quantity(gasUsed - 21_000n) } },
      {
        action: { address: ENDS, balance: "0x300", refundAddress: BOB },
        result: null,
        subtraces: 0,
        traceAddress: [0],
        type: "suicide",
      },
    ]);
  });

  it("include failures with their reasons, with the revert data of the first", async () => {
    await using chain = await mine([{ to: REVERTS }, { to: BREAKS }, { to: TIGHT }]);
    const word = `0x${"1".padStart(64, "0")}`;

    const [reverted] = await chain.traces(0);
    const [broken] = await chain.traces(1);
    const [fine, starved, inner] = await chain.traces(2);

    expect(reverted).toMatchObject({ error: "Reverted", revertReason: word });
    expect(broken).toMatchObject({ error: "Bad instruction" });
    expect(fine).toMatchObject({ result: { output: "0x" }, subtraces: 2 });
    expect(starved).toMatchObject({ action: { gas: "0x64" }, error: "Out of gas" });
    expect(inner).toMatchObject({ error: "Reverted" });
    expect(inner).not.toHaveProperty("revertReason");
    for (const failed of [reverted, broken, starved, inner]) {
      expect(failed).not.toHaveProperty("result");
    }
    expect(fine).not.toHaveProperty("error");
  });

  it("are found by their trace address", async () => {
    await using chain = await mine([{ to: OUTER }]);
    const get = (...numbers: string[]) =>
      chain.node.rpc("trace_get", [chain.hashes[0], numbers]) as Promise<Trace | null>;

    const traces = await chain.traces();
    expect(await get()).toEqual(traces[0]);
    expect(await get("0x0")).toEqual(traces[1]);
    expect(await get("0x1")).toBeNull();
    expect(await get("0x0", "0x0")).toBeNull();
    expect(await chain.node.rpc("trace_get", [UNKNOWN, []])).toBeNull();
    expect(await chain.node.rpc("trace_transaction", [UNKNOWN])).toEqual([]);
  });
});

describe("the calls of a block", () => {
  it("are those of its transactions in order, followed by the rewards", async () => {
    await using chain = await mine([{ to: BOB }, { to: OUTER }]);
    const { hash, coinbase } = chain.block.header;

    const traces = (await chain.node.rpc("trace_block", ["0x1"])) as Trace[];

    expect(traces.slice(0, -1)).toEqual([...(await chain.traces(0)), ...(await chain.traces(1))]);
    expect(traces.at(-1)).toEqual({
      action: { author: coinbase, rewardType: "block", value: "0x0" },
      blockHash: hash,
      blockNumber: 1,
      result: null,
      subtraces: 0,
      traceAddress: [],
      transactionHash: null,
      transactionPosition: null,
      type: "reward",
    });
    for (const id of [hash, "latest", "pending"]) {
      expect(await chain.node.rpc("trace_block", [id])).toEqual(traces);
    }
  });

  it.each(["plinth", "besu", "spec"])(
    "are empty for genesis, null for an unknown block: %s",
    async (mode) => {
      await using chain = await mine([{ to: BOB }], { mode });

      for (const id of ["0x0", "earliest"]) {
        expect(await chain.node.rpc("trace_block", [id])).toEqual([]);
      }
      for (const id of ["0x9", UNKNOWN])
        expect(await chain.node.rpc("trace_block", [id])).toBeNull();
    },
  );
});

describe("a search for calls", () => {
  it("covers blocks in order, including their rewards", async () => {
    await using chain = await mine([{ to: OUTER }], { later: [[{ to: BOB }], []] });
    const blocks = await Promise.all(
      ["0x1", "0x2", "0x3"].map((id) => chain.node.rpc("trace_block", [id]) as Promise<Trace[]>),
    );
    const all = blocks.flat();

    expect(await chain.filter({ fromBlock: "earliest" })).toEqual(all);
    expect(await chain.filter({ fromBlock: "0x0", toBlock: "0x99" })).toEqual(all);
    expect(await chain.filter({ fromBlock: "0x2", toBlock: "0x2" })).toEqual(blocks[1]);
    expect(await chain.filter({})).toEqual(blocks[2]);
    expect(await chain.filter({ fromBlock: "0x1", after: 1, count: 2 })).toEqual(all.slice(1, 3));
    expect(await chain.filter({ fromBlock: "0x1", after: 3 })).toEqual(all.slice(3));
    expect(await chain.filter({ fromBlock: "0x1", count: 0 })).toEqual([]);
    expect(await chain.filter({ fromBlock: "0x3", toBlock: "0x1" })).toEqual([]);
    expect(await chain.filter({ fromBlock: "0x20", toBlock: "0x21" })).toEqual([]);
  });

  it("matches senders and recipients", async () => {
    await using chain = await mine([{ to: OUTER }, { to: MAKER }, { to: ENDS }]);
    const found = async (query: object) =>
      (await chain.filter({ fromBlock: "0x1", ...query })).map(({ action }) => action.to);

    expect(await found({ fromAddress: [ALICE.address] })).toEqual([OUTER, MAKER, ENDS]);
    expect(await found({ toAddress: [INNER] })).toEqual([INNER]);
    expect(await found({ fromAddress: [ALICE.address], toAddress: [INNER] })).toEqual([]);
    expect(await found({ fromAddress: [OUTER, MAKER] })).toEqual([INNER, undefined]);
  });

  it("is rejected for too many blocks", async () => {
    await using chain = await mine([], { options: { rpcMaxTraceFilterRange: 2 } });
    await using unlimited = await mine([], { options: { rpcMaxTraceFilterRange: 0 } });
    const wide = { fromBlock: "0x1", toBlock: "0x4" };

    expect(await chain.filter({ ...wide, toBlock: "0x3" })).toHaveLength(1);
    await expect(chain.filter(wide)).rejects.toMatchObject({
      code: -32005,
      message: "Requested range exceeds maximum RPC range limit",
    });
    expect(await unlimited.filter({ ...wide, toBlock: "0xffffff" })).toHaveLength(1);
  });
});

const quantity = (value: bigint) => `0x${value.toString(16)}`;

/** A chain whose first block contains calls of Alice's, with 200,000 gas each. */
async function mine(
  calls: readonly { readonly to: Address | undefined; readonly data?: string }[],
  {
    mode = "plinth",
    options = {},
    later = [],
  }: { mode?: string; options?: object; later?: readonly (typeof calls)[] } = {},
) {
  const node = await createTestNode({
    plugins: [rpcTrace],
    genesis: GENESIS,
    options: { rpcCompatibility: mode, ...options },
  });
  const [header] = await node.mine(
    ...[calls, ...later].map((block) =>
      block.map(({ to, data = "" }) => {
        const fields = { data, value: 0n, gasLimit: 200_000n };
        return to === undefined ? fields : transfer({ ...fields, to });
      }),
    ),
  );
  const block = header && node.node.blocks.findBlock(header.hash);
  if (block === undefined) throw new Error("no block was made");
  const hashes = block.body.transactions.map(({ hash }) => hash);
  return {
    node,
    block,
    hashes,
    traces: (index = 0) => node.rpc("trace_transaction", [hashes[index]]) as Promise<Trace[]>,
    filter: (query: object) => node.rpc("trace_filter", [query]) as Promise<Trace[]>,
    [Symbol.asyncDispose]: () => node.stop(),
  };
}
