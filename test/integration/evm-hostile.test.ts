import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Address, EMPTY_ROOT, hexToBytes, toHex } from "@plinth/core";
import type { Evm, EvmResult, Fork } from "@plinth/core/evm";
import { createTestEvm } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assemble } from "../support/assembler.js";
import { type BothEvms, openBothEvms } from "../support/both-evms.js";
import { blockOf, CHAIN_ID, fill } from "../support/evm-cases.js";
import { ROOT } from "../support/program.js";

const SENDER: Address = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const TARGET: Address = "0x00000000000000000000000000000000000a0001";
const OTHER: Address = "0x00000000000000000000000000000000000a0002";
const MAX_CODE_BYTES = 24_576;
/** `npm run long -- attacks` runs more. */
const CONTRACTS = process.env.PLINTH_STRICT === undefined ? 4000 : 10_000;
const CONTRACT_BYTES = 4096;
const TIMEOUT_MS = 300_000;
const INTRINSIC = 21_000n;
/** The first of the endings is run with every amount of gas, the others with the last ones. */
const LAST_GAS = 100;
const MIB = 2 ** 20;

let evms: BothEvms;
beforeAll(async () => {
  evms = await openBothEvms();
}, 60_000);
afterAll(() => evms.node.stop());

describe("hostile code", () => {
  it("of only JUMPDESTs ends, with one gas for each", async () => {
    const code = new Uint8Array(MAX_CODE_BYTES).fill(0x5b);

    const { outcome, gasUsed } = await run(evms.own, { code });

    expect({ outcome, gasUsed }).toEqual({
      outcome: "success",
      gasUsed: INTRINSIC + BigInt(MAX_CODE_BYTES),
    });
  });

  it("that jumps among 24 KB of JUMPDESTs until its gas is gone is aborted", async () => {
    const code = new Uint8Array(MAX_CODE_BYTES).fill(0x5b);
    code.set(assemble("3 JUMP"), MAX_CODE_BYTES - 4);

    const { halt } = await run(evms.own, { code, gasLimit: 3_000_000n });

    expect(halt).toBe("INSUFFICIENT_GAS");
  });

  it(`of ${CONTRACTS} contracts that run once each leaves little behind`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const evm = await createTestEvm({ chainId: CHAIN_ID }, "plinth");
    const contract = (index: number) => {
      const code = new Uint8Array(CONTRACT_BYTES).fill(0x5b);
      code.set(assemble(`${index} 0 MSTORE 32 0 RETURN`));
      return code;
    };
    let before = 0;
    for (let index = 1; index <= CONTRACTS; index += 1) {
      if (index === CONTRACTS / 10) before = bytesInUse();
      const { returnValue } = await run(evm, { code: contract(index) });
      if (BigInt(toHex(returnValue)) !== BigInt(index)) expect(returnValue).toBe(index);
    }

    // Without a limit it would be about 100 KiB for each.
    expect(bytesInUse() - before).toBeLessThan(128 * MIB);
  });

  it.each([
    ["returns", "32 0 RETURN", Number.POSITIVE_INFINITY],
    ["stops", "STOP", LAST_GAS],
    ["runs off its end", "", LAST_GAS],
    ["jumps to its end", "@end JUMP STOP end:", LAST_GAS],
    ["reads its gas at the end", "GAS", LAST_GAS],
    ["reverts", "32 0 REVERT", LAST_GAS],
  ])(
    "that runs out of gas before it %s ends like on the other EVM",
    {
      timeout: TIMEOUT_MS,
    },
    async (_, ending, last) => {
      const code = assemble(
        `5 loop: DUP1 DUP1 MUL 32 MSTORE 64 0 KECCAK256 POP 0 32 EXP POP 1 SWAP1 SUB DUP1 @loop JUMPI
       MSIZE 100 MSTORE8 40 0 LOG0 0 0 0 0 ${BigInt(OTHER)} 100 DELEGATECALL GAS 0 MSTORE
       #5f 0 TLOAD 0 TSTORE 0 0 32 CALLDATACOPY 3 3 ADD POP ${ending}`,
      );
      const accounts = { code, other: assemble("1 2 ADD 0 MSTORE 32 0 RETURN") };
      const full = Number(
        (await run(evms.own, { ...accounts, gasLimit: 100_000n })).gasUsed - INTRINSIC,
      );
      expect(full).toBeGreaterThan(2_000);
      const differences: object[] = [];
      for (let gas = Math.max(0, full - last); gas <= full + 1; gas += 1) {
        const gasLimit = INTRINSIC + BigInt(gas);
        const [actual, expected] = [
          await run(evms.own, { ...accounts, gasLimit }),
          await run(evms.stock, { ...accounts, gasLimit }),
        ];
        if (printed(actual) !== printed(expected)) {
          differences.push({ gas, actual: printed(actual), expected: printed(expected) });
        }
      }

      expect(differences.slice(0, 3)).toEqual([]);
    },
  );

  it("that nests calls to the maximum depth needs no stack of JavaScript", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const script = join(ROOT, "test/support/nested-calls.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, ["--stack-size=200", script]);

    const expected = { outcome: "success", frames: 1025 };
    expect(JSON.parse(stdout)).toEqual({ main: expected, worker: expected });
  });

  it.each([2n ** 53n - 1n, 2n ** 53n + 12_345n, 2n ** 63n - 1n])(
    "may have %s gas",
    async (gasLimit) => {
      const code = assemble(
        `GAS 0 MSTORE 32 0 LOG0 0 0 0 0 0 ${BigInt(OTHER)} GAS CALL POP GAS 0 MSTORE 32 0 LOG0 1 0 SSTORE GAS 0 MSTORE 32 0 RETURN`,
      );
      const accounts = { code, other: assemble("GAS 0 MSTORE 32 0 LOG0 INVALID"), gasLimit };

      const [actual, expected] = [await run(evms.own, accounts), await run(evms.stock, accounts)];

      expect(printed(actual)).toBe(printed(expected));
    },
  );
});

/** Runs code of a contract, which may call another. */
async function run(
  evm: Evm,
  {
    code,
    gasLimit = 1_000_000n,
    fork = "cancun",
    other = new Uint8Array(),
  }: {
    readonly code: Uint8Array;
    readonly gasLimit?: bigint;
    readonly fork?: Fork;
    readonly other?: Uint8Array;
  },
): Promise<EvmResult> {
  const state = evms.node.node.blocks.simulation.states.open({ stateRoot: EMPTY_ROOT });
  fill(state, {
    [SENDER]: { balance: 1n },
    [TARGET]: { code, nonce: 1n },
    [OTHER]: { code: other, nonce: 1n },
  });
  const block = { ...blockOf(fork), gasLimit: 2n ** 63n - 1n, baseFeePerGas: 0n };
  return evm.runMessage(
    {
      from: SENDER,
      to: TARGET,
      data: hexToBytes(""),
      value: 0n,
      gasLimit,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
    },
    { block, state },
  );
}

function printed({ outcome, halt, gasUsed, returnValue, logs }: EvmResult): string {
  const data = logs.map((log) => toHex(log.data));
  return JSON.stringify({
    outcome,
    halt,
    gasUsed: String(gasUsed),
    value: toHex(returnValue),
    data,
  });
}

function bytesInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
