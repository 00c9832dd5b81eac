import type { Address } from "@plinth/core";
import { createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcDebug from "./index.js";

const CODE: Address = "0x00000000000000000000000000000000000000cc";
/** Six operands of a call to an account without code, with all the gas: with and without value. */
const OPERANDS = "600060006000600060006000";
const OF_ONE = "600060006000600060ff60bb";

/** Traces a transaction that runs code with the given gas on top of its intrinsic gas. */
async function trace(code: string, gas: bigint, method = "debug_traceTransaction") {
  const alloc = { ...DEV_GENESIS.alloc, [CODE]: { code: `0x${code}`, balance: "0x0" } };
  await using node = await createTestNode({
    plugins: [rpcDebug],
    genesis: { ...DEV_GENESIS, alloc },
    options: { rpcCompatibility: "besu" },
  });
  const gasLimit = 21_000n + gas;
  const [header] = await node.mine([transfer({ to: CODE, value: 0n, gasLimit })]);
  const { body } = node.node.blocks.findBlock(header?.hash ?? "0x") ?? {};
  const param = method === "debug_traceTransaction" ? body?.transactions[0]?.hash : "0x1";
  const found = Object(await node.rpc(method, [param]));
  return (Array.isArray(found) ? found[0] : found).structLogs as Readonly<
    Record<string, unknown>
  >[];
}

describe("the step that ends a frame, in Besu's format", () => {
  it.each<[string, string, bigint, number, object]>([
    // Eight iterations of 12 gas each, and a last one with 4.
    ["a loop", "5b600056", 100n, 27, { op: "JUMP", gas: 0, gasCost: 8 }],
    [
      "a call that costs too much",
      `${OPERANDS}61fffff1`,
      100n,
      8,
      { op: "CALL", gas: 79, gasCost: 2600 + 79 },
    ],
    [
      "memory that costs too much",
      "600063ffffffff52",
      50n,
      3,
      { op: "MSTORE", gasCost: 35_184_775_266_310 },
    ],
    ["a store that costs too much", "6001600055", 2506n, 3, { op: "SSTORE", gasCost: 22_100 }],
    ["a jump to an invalid destination", "600556", 50n, 2, { op: "JUMP", gasCost: 8 }],
    [
      "a conditional jump to an invalid destination",
      "6001600557",
      50n,
      3,
      { op: "JUMPI", gasCost: 10 },
    ],
    ["a stack underflow, detected during execution", "01", 50n, 1, { op: "ADD", gasCost: 0 }],
    ["a stack underflow, detected before execution", "1b", 50n, 1, { op: "SHL", gasCost: 3 }],
    ["a stack underflow of a call", "f1", 50n, 1, { op: "CALL", gasCost: 50 }],
    ["no instruction", "fe", 50n, 1, { op: "INVALID", gasCost: 0 }],
  ])("%s", async (_, code, gas, count, last) => {
    const steps = await trace(code, gas);

    expect(steps).toHaveLength(count);
    expect(steps.at(-1)).toMatchObject({ ...last, error: [expect.any(String)] });
    expect(await trace(code, gas, "debug_traceBlockByNumber")).toEqual(steps);
  });

  it("does not fail for an unaffordable call: it costs the remaining gas of its own frame", async () => {
    const steps = await trace(`${OF_ONE}610100f100`, 60_000n);
    const [call, stop] = steps.slice(-2);

    expect([call?.op, stop?.op]).toEqual(["CALL", "STOP"]);
    expect(call?.gasCost).toBe(Number(call?.gas) + 2300);
  });
});
