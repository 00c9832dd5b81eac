import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Address, EMPTY_ROOT } from "@plinth/core";
import { type Evm, type EvmResult, RunTooLarge, RunTooLong } from "@plinth/core/evm";
import { createTestEvm, createTestNode, type TestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assemble } from "../support/assembler.js";
import { blockOf, CHAIN_ID, fill } from "../support/evm-cases.js";

const SENDER: Address = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const TARGET: Address = "0x00000000000000000000000000000000000a0001";
const OTHER: Address = "0x00000000000000000000000000000000000a0002";
const MAX_RUN_MS = 20;
const TIMEOUT_MS = 60_000;
const LARGEST = `${2n ** 256n - 3n} ${2n ** 256n - 5n}`;

let node: TestNode;
let evm: Evm;
beforeAll(async () => {
  node = await createTestNode();
  evm = await createTestEvm({ chainId: CHAIN_ID }, "plinth");
}, TIMEOUT_MS);
afterAll(() => node.stop());

describe("a run without jumps that takes too long", () => {
  // Each of them runs for at least half a second.
  it.each([
    ["powers", `${LARGEST} ${"DUP2 DUP2 EXP POP ".repeat(6000)}`],
    ["products", `${LARGEST} ${"DUP2 DUP2 DUP2 MULMOD POP ".repeat(200_000)}`],
    ["hashes", `1 65500 MSTORE 65520 0 ${"DUP2 DUP2 KECCAK256 POP ".repeat(6000)}`],
    ["precompiles", "0 0 65500 0 3 GAS STATICCALL POP ".repeat(2000)],
  ])("is aborted: %s", { timeout: TIMEOUT_MS }, async (_, code) => {
    await expect(run({ code })).rejects.toThrow(RunTooLong);
  });

  it("is aborted if it calls others that take a little", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const code = `0 0 0 0 ${BigInt(OTHER)} GAS STATICCALL POP `.repeat(800);
    const other = `${LARGEST} ${"DUP2 DUP2 EXP POP ".repeat(20)}`;

    await expect(run({ code, other })).rejects.toThrow(RunTooLong);
  });

  it("is aborted if its code is long", { timeout: TIMEOUT_MS }, async () => {
    const code = "JUMPDEST ".repeat(2_000_000);

    await expect(run({ code })).rejects.toThrow(RunTooLong);
    await expect(run({ code: `STOP ${code}` })).rejects.toThrow(RunTooLong);
  });

  it.each([
    ["KECCAK256", "200000000 0 KECCAK256"],
    ["SHA-256", "0 0 200000000 0 2 GAS STATICCALL"],
    ["RIPEMD-160", "0 0 200000000 0 3 GAS STATICCALL"],
  ])("is aborted in the middle of a long hash: %s", { timeout: TIMEOUT_MS }, async (_, code) => {
    await expect(run({ code })).rejects.toThrow(RunTooLong);
  });

  it("leaves a usable EVM", { timeout: TIMEOUT_MS }, async () => {
    const code = `JUMPDEST 7 0 MSTORE 0 0 0 0 ADDRESS GAS STATICCALL POP 0 JUMP`;
    await expect(run({ code })).rejects.toThrow(RunTooLong);

    const { outcome, returnValue } = await run({ code: "0 MLOAD 32 MSTORE 64 0 RETURN" });

    expect(outcome).toBe("success");
    expect(returnValue).toEqual(new Uint8Array(64));
  });
});

describe("a run that uses too much memory", () => {
  const MOST = 2 ** 28;
  /** Allocates a quarter of the limit, and calls itself until it fails. */
  const NESTED = `1 ${MOST / 4} MSTORE 0 0 0 0 ADDRESS GAS STATICCALL POP`;

  it.each([
    ["in one frame", `1 ${MOST} MSTORE`],
    ["in nested frames", NESTED],
    ["in logs", `JUMPDEST ${MOST / 4} 0 LOG0 0 JUMP`],
    ["in memory and logs", `${MOST / 2} 0 LOG0 1 ${MOST - 64} MSTORE`],
  ])("is aborted: %s", { timeout: TIMEOUT_MS }, async (_, code) => {
    await expect(run({ code, maxMs: TIMEOUT_MS })).rejects.toThrow(new RunTooLarge(MOST));
  });

  it("does not count frames and logs that were reverted", { timeout: TIMEOUT_MS }, async () => {
    const other = `${MOST / 4} 0 LOG0 0 0 REVERT`;
    const code = `0 0 0 0 0 ${BigInt(OTHER)} GAS CALL `.repeat(6);

    const { outcome, logs } = await run({ code, other, maxMs: TIMEOUT_MS });

    expect({ outcome, logs }).toEqual({ outcome: "success", logs: [] });
  });

  it.each([
    ["that ended", `1 ${MOST / 2} MSTORE`, "success"],
    ["that was aborted", NESTED, "RUN_TOO_LARGE"],
    ["that created a contract", `${MOST / 4} 48000 MSTORE 48000 0 0 CREATE`, "success"],
    ["that returned much", `${MOST / 4} 0 RETURN`, "success"],
  ])("leaves nothing of a run %s", { timeout: TIMEOUT_MS }, async (_, inner, expected) => {
    await run({ code: "STOP" });
    const before = await bytesInUse();
    // The caller runs the code in a separate frame.
    const code = `0 0 0 0 0 ${BigInt(OTHER)} GAS CALL`;

    const ended = await run({ code, other: inner, maxMs: TIMEOUT_MS }).then(
      ({ outcome }) => outcome,
      (error) => error.code,
    );

    expect(ended).toBe(expected);
    expect((await bytesInUse()) - before).toBeLessThan(MOST / 32);
  });
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes of referenced buffers; they are freed on another thread. */
async function bytesInUse(): Promise<number> {
  for (let round = 0; round < 2; round += 1) {
    collectGarbage();
    await setImmediate();
  }
  return process.memoryUsage().arrayBuffers;
}

/** Runs code of a contract, which may call another. */
function run({
  code,
  other = "",
  gasLimit = 2n ** 53n,
  maxMs = MAX_RUN_MS,
}: {
  readonly code: string;
  readonly other?: string;
  readonly gasLimit?: bigint;
  readonly maxMs?: number;
}): Promise<EvmResult> {
  const state = node.node.blocks.simulation.states.open({ stateRoot: EMPTY_ROOT });
  fill(state, {
    [SENDER]: { balance: 1n },
    [TARGET]: { code: assemble(code), nonce: 1n },
    [OTHER]: { code: assemble(other), nonce: 1n },
  });
  const block = { ...blockOf("cancun"), gasLimit: 2n ** 63n - 1n, baseFeePerGas: 0n };
  const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
  return evm.runMessage(
    { from: SENDER, to: TARGET, data: new Uint8Array(), value: 0n, gasLimit, ...fees },
    { block, state, maxMs },
  );
}
