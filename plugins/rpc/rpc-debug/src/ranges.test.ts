import { type Address, hexToBytes, loadCrypto } from "@plinth/core";
import { keccakHash } from "@plinth/core/primitives";
import { ALICE, BOB, createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import rpcDebug from "./index.js";

const COUNTER: Address = "0x00000000000000000000000000000000000000cc";
const NO_KEY = `0x${"00".repeat(32)}`;
const UNKNOWN = `0x${"11".repeat(32)}`;
/** Adds one to its slot 0. */
const ADD_ONE = "0x60005460010160005500";
const GENESIS = {
  ...DEV_GENESIS,
  alloc: { ...DEV_GENESIS.alloc, [COUNTER]: { code: ADD_ONE, balance: "0x1" } },
};

beforeAll(async () => {
  await loadCrypto();
});

describe("an account in the middle of a block", () => {
  it("is returned as of each transaction", async () => {
    const { node } = await mineCalls();

    expect(await node.rpc("debug_accountAt", ["0x1", 0, ALICE.address])).toMatchObject({
      code: "0x0",
      nonce: "0x1",
    });
    expect(await node.rpc("debug_accountAt", ["0x1", "0x2", ALICE.address])).toMatchObject({
      nonce: "0x3",
    });
    expect(await node.rpc("debug_accountAt", ["latest", 1, COUNTER])).toEqual({
      code: ADD_ONE,
      nonce: "0x0",
      balance: "0x1",
      codehash: keccakHash(hexToBytes(ADD_ONE)),
    });
  });

  it.each([
    [["0x9", 0, BOB], -32000, "Block not found"],
    [["0x0", 0, BOB], -32602, "Invalid transaction params (missing or incorrect)"],
    [["0x1", 3, BOB], -32602, "Invalid transaction params (missing or incorrect)"],
    [["0x1", -1, BOB], -32602, "Invalid transaction params (missing or incorrect)"],
    [["0x1", "first", BOB], -32602, "Invalid transaction index params"],
    [["0x1", 0, "0xzz"], -32602, "Invalid address params"],
    [["nine", 0, BOB], -32602, "Invalid block, unable to parse RLP"],
    [["0x1", 0, BOB], -32000, "Account not found"],
  ])("%j is rejected", async (params, code, message) => {
    const { node } = await mineCalls();

    await expect(node.rpc("debug_accountAt", params)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
});

describe("the roots within a block", () => {
  it("are those after each transaction, the last one being the block's", async () => {
    const { node } = await mineCalls();
    const head = node.node.blocks.head();

    const roots = (await node.rpc("debug_intermediateRoots", [head?.hash])) as string[];

    expect(new Set(roots).size).toBe(3);
    expect(roots.at(-1)).toBe(head?.stateRoot);
  });

  it("are missing for unknown blocks and for genesis", async () => {
    const { node } = await mineCalls();
    const genesis = node.node.blocks.findHeader(0n)?.hash;

    expect(await node.rpc("debug_intermediateRoots", [UNKNOWN])).toBeNull();
    expect(await node.rpc("debug_intermediateRoots", [genesis])).toBeNull();
    await expect(node.rpc("debug_intermediateRoots", ["0x1"])).rejects.toThrow(
      "Invalid block hash params",
    );
  });
});

describe("a range of accounts", () => {
  it("is returned page by page", async () => {
    const { node } = await mineCalls();
    const read = (start: string, limit: number) =>
      node.rpc("debug_accountRange", ["0x1", 0, start, limit]) as Promise<Range>;

    const all = await read("0x0", 10);
    const first = await read("0x00", 2);
    const rest = await read(first.nextKey, 10);

    expect(Object.values(all.addressMap)).toContain(COUNTER);
    expect(all.nextKey).toBe(NO_KEY);
    expect(Object.keys(first.addressMap)).toHaveLength(2);
    expect({ ...first.addressMap, ...rest.addressMap }).toEqual(all.addressMap);
  });

  it("contains the accounts after a transaction", async () => {
    await using node = await createTestNode({ plugins: [rpcDebug], genesis: GENESIS });
    const [first, second] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`] as const;
    await node.mine([transfer({ to: first }), transfer({ to: second })], []);
    const addresses = async (block: string, index: unknown) => {
      const params = [block, index, "0x0", 100];
      const { addressMap } = (await node.rpc("debug_accountRange", params)) as Range;
      return Object.values(addressMap).filter((address) => /^0x(aa|bb){20}$/.test(address));
    };

    expect(await addresses("0x1", 0)).toEqual([first]);
    expect((await addresses("0x1", "0x1")).sort()).toEqual([first, second]);
    expect((await addresses("0x2", 0)).sort()).toEqual([first, second]);
    expect(await addresses("0x0", 0)).toEqual([]);
  });

  it("ignores the transaction index, and is empty for an unknown block in Besu mode", async () => {
    const options = { rpcCompatibility: "besu" };
    await using node = await createTestNode({ plugins: [rpcDebug], genesis: GENESIS, options });
    await node.mine([transfer({ to: `0x${"aa".repeat(20)}` })]);
    const range = (...params: unknown[]) => node.rpc("debug_accountRange", params);

    expect(await range(UNKNOWN, 0, "0x0", 1)).toEqual({ addressMap: {} });
    expect(await range("0x1", "any", "0x0", 100)).toEqual(await range("0x1", 7, "0x0", 100));
  });

  it("has its own errors", async () => {
    const { node } = await mineCalls();
    const range = (...params: unknown[]) => node.rpc("debug_accountRange", params);

    for (const unknown of [UNKNOWN, "0x9"]) {
      await expect(range(unknown, 0, "0x0", 1)).rejects.toMatchObject({
        code: -32000,
        message: "Block not found",
      });
    }
    await expect(range("0x1", 3, "0x0", 1)).rejects.toMatchObject({
      code: -32602,
      message: "Invalid transaction index params: index: expected one of 3 transactions, not 3",
    });
    await expect(range("0x1", "first", "0x0", 1)).rejects.toThrow(
      "Invalid transaction index params: index: expected a whole number",
    );
    await expect(range("0x1", 0, "start", 1)).rejects.toThrow("Invalid address hash params");
    await expect(range("0x1", 0, "0x0", -1)).rejects.toThrow("Invalid max results params");
  });
});

describe("a range of storage", () => {
  it("is returned as of each transaction, and as of the parent block if there is none", async () => {
    const { node } = await mineCalls();
    const key = keccakHash(hexToBytes(NO_KEY));
    const read = (index: number) =>
      node.rpc("debug_storageRangeAt", ["0x1", index, COUNTER, "0x0", 5]);
    const after = (count: number) => ({
      storage: { [key]: { key: NO_KEY, value: `0x${String(count).padStart(64, "0")}` } },
      nextKey: null,
      complete: true,
    });

    expect(await read(0)).toEqual(after(1));
    expect(await read(2)).toEqual(after(3));
    expect(await read(-1)).toEqual({ storage: {}, nextKey: null, complete: true });
    expect(await read(7)).toEqual({ storage: {}, nextKey: null, complete: true });
  });

  it("returns the next key", async () => {
    const { node } = await mineCalls();
    const params = ["0x1", 0, COUNTER, "0x0", 0];

    expect(await node.rpc("debug_storageRangeAt", params)).toMatchObject({
      storage: {},
      nextKey: keccakHash(hexToBytes(NO_KEY)),
      complete: false,
    });
  });

  it("is empty if the block is unknown, and has its own errors", async () => {
    const { node } = await mineCalls();
    const range = (...params: unknown[]) => node.rpc("debug_storageRangeAt", params);

    expect(await range(UNKNOWN, 0, COUNTER, "0x0", 1)).toMatchObject({ complete: true });
    await expect(range("0x1", 0, COUNTER, "start", 1)).rejects.toThrow("Invalid data hash params");
    await expect(range("0x1", 0, COUNTER, "0x0", "x")).rejects.toThrow(
      "Invalid transaction limit params",
    );
  });
});

interface Range {
  readonly addressMap: Readonly<Record<string, string>>;
  readonly nextKey: string;
}

/** A block with three calls of the counter. */
async function mineCalls() {
  const node = await createTestNode({ plugins: [rpcDebug], genesis: GENESIS });
  const call = transfer({ to: COUNTER, value: 0n, gasLimit: 100_000n });
  await node.mine([call, call, call]);
  return { node };
}
