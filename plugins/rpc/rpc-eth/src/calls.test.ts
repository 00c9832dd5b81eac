import { ALICE, BOB, createTestNode, DEV_GENESIS, devChain, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEth from "./index.js";

const CODE = "0x00000000000000000000000000000000000000cc";

/** A chain with one contract. */
async function startChain(code = "", options: Record<string, unknown> = {}) {
  const alloc = { ...DEV_GENESIS.alloc, [CODE]: { code: `0x${code}` } };
  return createTestNode({
    plugins: [rpcEth, ...devChain],
    genesis: { ...DEV_GENESIS, alloc },
    options,
  });
}

const word = (value: number) => value.toString(16).padStart(64, "0");

const HALTED = "Transaction processing could not be completed due to an exception";

/** Code that reverts with `Panic(uint256)`. */
function panicking(code: number): string {
  return `634e487b7160e01b60005260${code.toString(16).padStart(2, "0")}60045260246000fd`;
}

describe("eth_call", () => {
  it("returns the output of the code and persists nothing", async () => {
    // Stores 1, returns 42.
    await using node = await startChain("6001600055602a60005260206000f3");

    expect(await node.rpc("eth_call", [{ to: CODE }])).toBe(`0x${word(42)}`);
    expect(await node.rpc("eth_blockNumber")).toBe("0x0");
  });

  it("returns nothing for an account without code", async () => {
    await using node = await startChain();

    expect(await node.rpc("eth_call", [{ to: BOB }, "latest"])).toBe("0x");
  });

  it("can come from an account with the maximum balance", async () => {
    await using node = await startChain();
    const rich = { [CODE]: { balance: `0x${"f".repeat(64)}` } };

    const call = { from: CODE, to: BOB, value: "0x1" };

    expect(await node.rpc("eth_call", [call, "latest", rich])).toBe("0x");
  });

  it.each([
    ["the target", BOB],
    ["the fee recipient", `0x${"00".repeat(20)}`],
  ])("fails if %s would exceed 256 bits", async (_, address) => {
    await using node = await startChain();
    const rich = { [address]: { balance: `0x${"f".repeat(64)}` } };

    const call = { from: ALICE.address, to: BOB, value: "0x1", gasPrice: "0x3b9aca00" };

    await expect(node.rpc("eth_call", [call, "latest", rich])).rejects.toMatchObject({
      code: -32000,
    });
  });

  it("reports a revert with its reason and data", async () => {
    const reason = Buffer.from("no").toString("hex").padEnd(64, "0");
    const data = `08c379a0${word(32)}${word(2)}${reason}`;
    // Copies the data after the code and reverts with it.
    await using node = await startChain(`6064600c60003960646000fd${data}`);

    await expect(node.rpc("eth_call", [{ to: CODE }])).rejects.toMatchObject({
      code: 3,
      message: "Execution reverted: no",
      data: `0x${data}`,
    });
  });

  it.each([
    ["60006000fd", 3, "Execution reverted"],
    ["6001600052600160fffd", 3, "Execution reverted"],
    // MSTORE of a panic 0x11 and of selectors, then a revert with 36 or four bytes.
    [panicking(0x11), 3, "Execution reverted: panic: arithmetic underflow or overflow (0x11)"],
    [panicking(0x12), 3, "Execution reverted: panic: division or modulo by zero (0x12)"],
    [panicking(0x99), 3, "Execution reverted: panic: a code that Solidity does not have (0x99)"],
    ["631425ea4260e01b60005260046000fd", 3, "Execution reverted: custom error 0x1425ea42"],
    ["fe", -32000, `${HALTED}: INVALID_OPERATION (invalid opcode)`],
    ["5b600056", -32000, `${HALTED}: INSUFFICIENT_GAS (out of gas)`],
    ["600056", -32000, `${HALTED}: INVALID_JUMP_DESTINATION (invalid jump destination)`],
    ["50", -32000, `${HALTED}: INSUFFICIENT_STACK_ITEMS (stack underflow)`],
  ])("reports how %s fails, as eth_estimateGas does", async (code, number, message) => {
    await using node = await startChain(code);
    const expected = { code: number, message };
    const call = { to: CODE, gas: "0xffff" };

    await expect(node.rpc("eth_call", [call])).rejects.toMatchObject(expected);
    await expect(node.rpc("eth_estimateGas", [call])).rejects.toMatchObject(expected);
  });

  it("has the same explanation inside of results", async () => {
    await using node = await startChain(panicking(0x12));
    const text = "execution reverted: panic: division or modulo by zero (0x12)";

    expect(await node.rpc("eth_createAccessList", [{ to: CODE }])).toMatchObject({ error: text });
    const calls = [{ to: CODE }];
    expect(await node.rpc("eth_simulateV1", [{ blockStateCalls: [{ calls }] }])).toMatchObject([
      { calls: [{ error: { code: 3, message: text } }] },
    ]);
  });

  it.each([
    [panicking(0x11), "Execution reverted"],
    ["fe", HALTED],
  ])("reports no more about %s than Besu does, in Besu mode", async (code, message) => {
    await using node = await startChain(code, { rpcCompatibility: "besu" });

    await expect(node.rpc("eth_call", [{ to: CODE }, "latest"])).rejects.toMatchObject({
      code: -32000,
      message,
    });
  });

  it("may use more gas than its fork allows a transaction", async () => {
    // Returns the remaining gas.
    const alloc = { ...DEV_GENESIS.alloc, [CODE]: { code: "0x5a60005260206000f3" } };
    const { config, ...genesis } = DEV_GENESIS;
    const osaka = { cancunTime: 0, pragueTime: 0, osakaTime: 0 };
    await using node = await createTestNode({
      plugins: [rpcEth, ...devChain],
      genesis: { ...genesis, config: { ...config, ...osaka }, alloc },
    });

    const left = await node.rpc("eth_call", [{ to: CODE, gas: "0x1312d00" }]);

    expect(Number(left)).toBeGreaterThan(2 ** 24);
  });

  it("exposes the base fee only to calls that pay", async () => {
    await using node = await startChain("4860005260206000f3");

    expect(await node.rpc("eth_call", [{ to: CODE }])).toBe(`0x${word(0)}`);
    expect(await node.rpc("eth_call", [{ to: CODE, gasPrice: "0x8" }])).toBe(`0x${word(7)}`);
    await expect(node.rpc("eth_call", [{ to: CODE, gasPrice: "0x6" }])).rejects.toMatchObject({
      code: -32009,
    });
  });

  it("lends the sender what it lacks, unless it is strict", async () => {
    await using node = await startChain();
    const rich = { from: BOB, to: CODE, value: "0x1" };

    expect(await node.rpc("eth_call", [rich])).toBe("0x");
    await expect(node.rpc("eth_call", [{ ...rich, strict: true }])).rejects.toMatchObject({
      code: -32004,
    });
  });

  it("raises the balance of a sender that cannot pay to a large amount, and leaves others as they are", async () => {
    // Returns the balance of the caller.
    await using node = await startChain("333160005260206000f3");
    const balanceOf = async (from: string, value: bigint) => {
      const call = { from, to: CODE, value: `0x${value.toString(16)}` };
      return BigInt(String(await node.rpc("eth_call", [call])));
    };
    const alice = BigInt(String(await node.rpc("eth_getBalance", [ALICE.address])));

    expect(await balanceOf(BOB, 1n)).toBe(2n ** 128n - 1n);
    expect(await balanceOf(ALICE.address, alice + 1n)).toBe(2n ** 128n - alice - 1n);
    expect(await balanceOf(BOB, 2n ** 200n)).toBe(0n);
    expect(await balanceOf(ALICE.address, 1n)).toBe(alice - 1n);
    expect(await balanceOf(BOB, 0n)).toBe(0n);
  });

  it("reports that the gas is below the intrinsic gas", async () => {
    await using node = await startChain();

    await expect(node.rpc("eth_call", [{ to: CODE, gas: "0x1" }])).rejects.toMatchObject({
      code: -32003,
      message: "Intrinsic gas exceeds gas limit",
    });
  });

  it("is limited to the operator's gas cap", async () => {
    // Returns the remaining gas.
    await using node = await startChain("5a60005260206000f3", { rpcGasCap: 50_000 });

    const left = await node.rpc("eth_call", [{ to: CODE, gas: "0xffffff" }]);

    expect(BigInt(String(left))).toBeLessThan(29_000n);
  });

  it.each([
    [[{ to: "bob" }, "latest"], "Invalid call params"],
    [[{ to: CODE, data: "0x01", input: "0x02" }, "latest"], "Invalid call params"],
    [[7, "latest"], "Invalid call params"],
    [[], "Invalid call params: call: expected an object"],
  ])("rejects %j", async (params, message) => {
    await using node = await startChain();

    await expect(node.rpc("eth_call", params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });
});

describe("eth_estimateGas", () => {
  it.each([
    ["a transfer", { from: ALICE.address, to: BOB, value: "0x1" }, "0x5208"],
    ["a transfer with three bytes", { to: BOB, data: "0x010203" }, "0x5238"],
  ])("is exact for %s", async (_, request, gas) => {
    await using node = await startChain();

    expect(await node.rpc("eth_estimateGas", [request])).toBe(gas);
  });

  it("is enough for code that clears storage and gets a refund", async () => {
    await using node = await startChain("60016000556000600055");
    const gas = await node.rpc("eth_estimateGas", [{ from: ALICE.address, to: CODE }]);

    await node.mine([{ to: CODE, gasLimit: BigInt(String(gas)) }]);

    const [receipt] = node.node.blocks.findReceipts(node.node.blocks.head().hash) ?? [];
    expect(receipt).toMatchObject({ status: 1 });
  });

  it("accepts an offer below the base fee", async () => {
    await using node = await startChain();
    const request = { from: ALICE.address, to: BOB, gasPrice: "0x1" };

    expect(await node.rpc("eth_estimateGas", [request])).toBe("0x5208");
  });

  it("is for the next block if `pending` is requested", async () => {
    // Reverts in any block but the first.
    await using node = await startChain("43600114600c5760006000fd5b00");

    await expect(node.rpc("eth_estimateGas", [{ to: CODE }])).rejects.toMatchObject({ code: 3 });
    expect(await node.rpc("eth_estimateGas", [{ to: CODE }, "pending"])).toMatch(/^0x/);
  });

  it("reports why a call fails with the maximum gas", async () => {
    await using node = await startChain("60006000fd");

    await expect(node.rpc("eth_estimateGas", [{ to: CODE }])).rejects.toMatchObject({ code: 3 });
  });
});

describe("suggested fees", () => {
  it("start at the floor", async () => {
    await using node = await startChain();

    expect(await node.rpc("eth_gasPrice")).toBe("0x3e8");
    expect(await node.rpc("eth_maxPriorityFeePerGas")).toBe("0x0");
  });

  it("follow the prices paid, up to the operator's maximum", async () => {
    await using node = await startChain("", { apiGasPriceMax: 5000n });
    await node.mine([transfer({ gasPrice: 9000n })]);

    expect(await node.rpc("eth_gasPrice")).toBe("0x1388");
  });
});
