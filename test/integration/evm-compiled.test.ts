import { type Address, EMPTY_ROOT } from "@plinth/core";
import type { Evm } from "@plinth/core/evm";
import { createTestEvm } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assemble } from "../support/assembler.js";
import { type BothEvms, openBothEvms } from "../support/both-evms.js";
import { blockOf, CHAIN_ID, fill } from "../support/evm-cases.js";

const SENDER: Address = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const TARGET: Address = "0x00000000000000000000000000000000000a0001";
const MOST_STACK = 1024;
/** Of a transaction with an input of 32 bytes, none of them zero. */
const INTRINSIC = 21_512n;
/** Above 2^53, and of every bit. */
const [LARGE, LARGER] = [2n ** 64n + 3n, 2n ** 256n - 189n];

/** The constant of an addition that subtracts, or of a mask. */
const not = (value: bigint) => 2n ** 256n - 1n - value;

let evms: BothEvms;
beforeAll(async () => {
  evms = await openBothEvms();
}, 60_000);
afterAll(() => evms.node.stop());

/** A loop of some rounds whose counter is on top of the stack before and after the body. */
const repeated = (body: string, rounds = 3) =>
  `${rounds} loop: ${body} 1 SWAP1 SUB DUP1 @loop JUMPI POP`;

/** Code with every kind of instruction that compiled code treats differently. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "memory that grows": `${repeated("DUP1 DUP1 32 MUL MSTORE DUP1 MLOAD POP 7 DUP2 100 MUL MSTORE8")} 96 0 RETURN`,
  "hashes of pairs and others": `${repeated("DUP1 0 MSTORE 64 0 KECCAK256 DUP2 0 KECCAK256 ADD 32 MSTORE")} 64 0 RETURN`,
  "storage, cold and warm": `${repeated("DUP1 DUP1 SSTORE DUP1 SLOAD POP 0 DUP2 SSTORE")} STOP`,
  logs: `${repeated("1 2 3 4 32 0 LOG4 5 32 0 LOG1 DUP1 0 LOG0")} STOP`,
  powers: `${repeated(`DUP1 ${LARGE} EXP 0 MSTORE 3 DUP2 EXP POP`)} 32 0 RETURN`,
  copies: `${repeated("64 0 DUP3 CODECOPY 32 4 0 CALLDATACOPY 0 0 0 RETURNDATACOPY 32 0 DUP3 MCOPY")} 64 0 RETURN`,
  "functions that return to their callers":
    "@one 5 @double JUMP one: @two SWAP1 @double JUMP two: 0 MSTORE 32 0 RETURN double: DUP1 ADD SWAP1 JUMP",
  "a jump to a value of the input": "0 CALLDATALOAD JUMP 1 2 3 4",
  "a jump with a condition to a value of the input":
    "1 0 CALLDATALOAD JUMPI 7 0 MSTORE 32 0 RETURN",
  "values of both forms": `${repeated(`DUP1 ${LARGER} XOR DUP1 ${LARGE} AND ADD DUP2 MUL 3 SWAP1 DIV 0 MSTORE`)} 32 0 RETURN`,
  "constants that stand for negative numbers": `${repeated(`DUP1 32 MUL 1 ADD ${not(31n)} DUP2 ADD ${not(31n)} AND 0 MSTORE ${not(63n)} ADD ${not(63n)} AND 32 MSTORE DUP1 ${LARGE} MUL ${not(31n)} AND ${not(0n)} ADD 64 MSTORE DUP1 ${not(2n ** 53n - 2n)} ADD ${not(2n ** 53n - 1n)} ADD ${not(2n ** 52n - 1n)} AND 96 MSTORE 0 MLOAD ${not(2n ** 40n)} AND POP`)} 128 0 RETURN`,
  "copies by the identity contract": `${repeated("DUP1 0 MSTORE 64 128 64 0 4 GAS STATICCALL 32 MSTORE 64 0 192 RETURNDATACOPY")} 256 0 RETURN`,
  "comparisons as values": `${repeated(`DUP1 2 LT DUP2 ${LARGE} GT ADD DUP2 ${LARGER} SLT ADD DUP2 3 EQ ISZERO ADD 0 MLOAD ADD 0 MSTORE`)} 32 0 RETURN`,
  "calls in between": `${repeated(`0 0 0 0 0 ADDRESS 2000 CALL 0 MSTORE GAS POP`)} 32 0 RETURN`,
  "the context": `${repeated("CALLER ADDRESS ADD ORIGIN ADD GASPRICE ADD NUMBER ADD TIMESTAMP ADD SELFBALANCE ADD CHAINID ADD MSIZE ADD PC ADD GAS ADD CODESIZE ADD 1 BLOCKHASH ADD 0 BLOBHASH ADD 0 MSTORE")} 32 0 RETURN`,
  "transient storage": `${repeated("DUP1 DUP1 TSTORE DUP1 TLOAD 0 MSTORE")} 32 0 RETURN`,
  "an instruction that no fork has": `${repeated("DUP1 POP")} #0c`,
  "code that stops in the middle of a push": `${repeated("DUP1 POP")} #7f01`,
};

describe.each(Object.entries(PROGRAMS))("compiled code with %s", (_, text) => {
  it("ends like interpreted code, whatever gas it has", async () => {
    const code = assemble(text);
    const whole = await run(evms.own, code, 200_000n);
    const used = whole.gasUsed - INTRINSIC;
    // Every amount up to 400, and then so many that each instruction runs out at least once.
    const step = used < 2_000n ? 1n : used / 1_500n;
    for (let gas = 0n; gas <= used + 2n; gas += gas < 400n ? 1n : step) {
      const limit = INTRINSIC + gas;
      expect(await run(evms.compiling, code, limit), `with ${gas} gas`).toEqual(
        await run(evms.own, code, limit),
      );
    }
  });
});

describe("compiled code", () => {
  it.each([
    ["overflows", "loop: 1 @loop JUMP"],
    ["underflows", "1 1 1 loop: POP @loop JUMP"],
    [
      "is filled to its last item",
      `${"1 ".repeat(MOST_STACK - 1)} loop: DUP1 POP @end JUMP end: STOP`,
    ],
  ])("ends like interpreted code if its stack %s", async (_, text) => {
    const code = assemble(text);

    expect(await run(evms.compiling, code, 500_000n)).toEqual(await run(evms.own, code, 500_000n));
  });

  it("is what runs", async () => {
    const code = assemble(`${repeated("DUP1 POP", 300_000)} STOP`);
    const evm = await createTestEvm({ chainId: CHAIN_ID }, "plinth");
    await run(evms.own, code, 100_000_000n);
    await run(evm, code, 100_000_000n);

    const [interpreted, compiled] = [await time(evms.own, code), await time(evm, code)];

    expect(compiled).toBeLessThan(interpreted / 2);
  });
});

async function run(evm: Evm, code: Uint8Array, gasLimit: bigint) {
  const { states } = evms.node.node.blocks.simulation;
  const state = states.open({ stateRoot: EMPTY_ROOT });
  fill(state, { [SENDER]: { balance: 10n ** 30n }, [TARGET]: { code, balance: 5n } });
  const message = {
    from: SENDER,
    to: TARGET,
    data: new Uint8Array(32).fill(0x11),
    value: 0n,
    gasLimit,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  };
  const block = { ...blockOf("cancun"), gasLimit: 2n ** 50n, baseFeePerGas: 0n };
  const result = await evm.runMessage(message, { block, state });
  return { ...result, root: states.update(state).root };
}

async function time(evm: Evm, code: Uint8Array): Promise<number> {
  const start = performance.now();
  await run(evm, code, 100_000_000n);
  return performance.now() - start;
}
