import { type Address, EMPTY_ROOT, toHex } from "@plinth/core";
import {
  type Evm,
  type EvmResult,
  type Message,
  ReadOnlyAccount,
  type RunContext,
  RunTooLong,
  type Tracer,
} from "@plinth/core/evm";
import { createTestEvm } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assemble } from "../support/assembler.js";
import { type BothEvms, openBothEvms } from "../support/both-evms.js";
import { blockOf, CHAIN_ID, fill } from "../support/evm-cases.js";
import { aState } from "../support/evm-world.js";

const SENDER: Address = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const TARGET: Address = "0x00000000000000000000000000000000000a0001";
const BLOCK = { ...blockOf("cancun"), gasLimit: 2n ** 50n, baseFeePerGas: 0n };
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

/** Pushes the numbers up to one. */
function pushes(most: number): string {
  return Array.from({ length: most }, (_, index) => index + 1).join(" ");
}

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
  "jumps to comparisons":
    "CALLDATASIZE loop: 0 MLOAD 1 ADD DUP1 0 MSTORE 3 EQ @end JUMPI 1 ISZERO ISZERO JUMP end: STOP",
  "jumps with a condition to computed targets":
    "@loop 3 loop: 1 SWAP1 SUB DUP1 DUP3 JUMPI 0 MSTORE 1 DUP1 ISZERO ISZERO JUMPI",
  "many items moved before memory is read": `${repeated(`${pushes(17)} #9f9d9b99 32 MLOAD MLOAD #9e9c SWAP1 DUP2 GT ${"2 MUL ADD ".repeat(17)} 0 MSTORE`)} 32 0 RETURN`,
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

  it.each(["1 0 0 LOG1", "1 1 SSTORE", "1 1 TSTORE"])(
    "fails like interpreted code in a static call: %s",
    async (change) => {
      await expectAlike(
        `CALLDATASIZE @outer JUMPI ${change} STOP outer: 0 0 0 0 ADDRESS 50000 STATICCALL 0 MSTORE 32 0 RETURN`,
      );
    },
  );

  it("calls itself like interpreted code", async () => {
    // With an input that is one byte shorter, until it is empty.
    const { outcome } = await expectAlike(
      "CALLDATASIZE ISZERO @end JUMPI 0 0 1 CALLDATASIZE SUB 0 0 ADDRESS GAS CALL 0 SLOAD ADD 0 SSTORE end: STOP",
    );

    expect(outcome).toBe("success");
  });

  it("creates contracts like interpreted code, and as compiled init code", async () => {
    const initCode = Buffer.from(assemble(`${repeated("DUP1 0 MSTORE")} 32 0 RETURN`));
    const [word, length] = [BigInt(`0x${initCode.toString("hex")}`), initCode.length];

    await expectAlike(repeated(`${word} 0 MSTORE ${length} ${32 - length} 0 CREATE POP`));
  });

  it.each([2n ** 52n, 2n ** 52n + 22_000n, 2n ** 53n, 2n ** 64n - 1n])(
    "counts gas like interpreted code if it has %s, more than is counted in a number",
    async (gas) => {
      // A call that fails takes all but one part in 64.
      const round = "0 0 0 0 0 ADDRESS GAS CALL POP GAS 0 MLOAD ADD 0 MSTORE 64 0 KECCAK256 POP";
      await expectAlike(
        `CALLDATASIZE @outer JUMPI INVALID outer: ${repeated(round, 5)} 32 0 RETURN`,
        gas,
      );
    },
  );

  it.each([7, 1024, 3000])("has a stack of %i items, like interpreted code", async (size) => {
    const [interpreting, compiling] = await Promise.all(
      ["NEVER", "ALWAYS"].map((evmCompile) =>
        createTestEvm({ chainId: CHAIN_ID, maxStackItems: size }, "plinth", { evmCompile }),
      ),
    );
    const code = assemble("loop: 1 DUP1 DUP1 POP POP @loop JUMP");

    expect(await run(compiling as Evm, code, 500_000n)).toEqual(
      await run(interpreting as Evm, code, 500_000n),
    );
  });

  it("ends like interpreted code if the state refuses a change", async () => {
    const code = toHex(assemble(`${repeated("DUP1 DUP1 SSTORE")} STOP`)).slice(2);
    const results = [evms.own, evms.compiling].map((evm) => {
      const state = {
        ...aState({ [SENDER]: 1n }, { [TARGET]: code }),
        setStorage: () => {
          throw new ReadOnlyAccount(TARGET);
        },
      };
      return evm.runMessage(aMessage(200_000n), { block: BLOCK, state });
    });
    const [interpreted, compiled] = await Promise.all(results);

    expect(interpreted).toMatchObject({ outcome: "halted", halt: "ILLEGAL_STATE_CHANGE" });
    expect(compiled).toEqual(interpreted);
  });

  it("is not what a tracer sees, even if it is compiled already", async () => {
    const code = assemble(`${repeated("DUP1 0 MSTORE 64 0 KECCAK256 POP")} STOP`);
    const steps = async (evm: Evm) => {
      const seen: unknown[] = [];
      const step: Tracer["step"] = ({ pc, gas, stack }) => void seen.push({ pc, gas, stack });
      await run(evm, code, 200_000n, { tracer: { step } });
      return seen;
    };
    await run(evms.compiling, code, 200_000n);

    expect(await steps(evms.compiling)).toEqual(await steps(evms.own));
  });

  it.each(["loop: @loop JUMP", "loop: 64 0 KECCAK256 0 MSTORE 0 0 0 CODECOPY @loop JUMP"])(
    "lets others run, and is aborted if it takes too long: %s",
    async (text) => {
      let others = 0;
      const other = setInterval(() => {
        others += 1;
      }, 1);

      const running = run(evms.compiling, assemble(text), 2n ** 53n, { maxMs: 300, yields: true });

      await expect(running.finally(() => clearInterval(other))).rejects.toThrow(RunTooLong);
      expect(others).toBeGreaterThan(1);
    },
  );

  it("moves items like interpreted code, whatever is done to them", async () => {
    for (let seed = 1; seed <= 150; seed += 1) await expectAlike(shuffled(seed));
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

/** Runs code interpreted and compiled; returns the result, which must be the same. */
async function expectAlike(text: string, gasLimit = 2_000_000n): Promise<EvmResult> {
  const code = assemble(text);
  const compiled = await run(evms.compiling, code, gasLimit);
  expect(compiled, text).toEqual(await run(evms.own, code, gasLimit));
  return compiled;
}

async function run(
  evm: Evm,
  code: Uint8Array,
  gasLimit: bigint,
  options: Pick<RunContext, "tracer" | "maxMs" | "yields"> = {},
) {
  const { states } = evms.node.node.blocks.simulation;
  const state = states.open({ stateRoot: EMPTY_ROOT });
  fill(state, { [SENDER]: { balance: 10n ** 30n }, [TARGET]: { code, balance: 5n } });
  const result = await evm.runMessage(aMessage(gasLimit), { block: BLOCK, state, ...options });
  return { ...result, root: states.update(state).root };
}

function aMessage(gasLimit: bigint): Message {
  return {
    from: SENDER,
    to: TARGET,
    data: new Uint8Array(32).fill(0x11),
    value: 0n,
    gasLimit,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  };
}

async function time(evm: Evm, code: Uint8Array): Promise<number> {
  const start = performance.now();
  await run(evm, code, 100_000_000n);
  return performance.now() - start;
}

/** Items below which random code does not go, so that every instruction has its operands. */
const FEWEST = 18;
/** What random code does to its items, and how many more there are then. */
const CHANGES: readonly (readonly [string, number])[] = [
  ...Array.from({ length: 16 }, (_, index) => [`#${(0x80 + index).toString(16)}`, 1] as const),
  ...Array.from({ length: 16 }, (_, index) => [`#${(0x90 + index).toString(16)}`, 0] as const),
  ..."ADD SUB MUL DIV MOD SLT LT GT EQ AND OR XOR SHL SHR BYTE"
    .split(" ")
    .map((name) => [name, -1] as const),
  ..."ISZERO NOT TLOAD".split(" ").map((name) => [name, 0] as const),
  [`${LARGE} AND`, 0],
  ["40 SHR", 0],
  ["210 SHR", 0],
  ["POP", -1],
  ["5", 1],
  [String(2n ** 53n - 1n), 1],
  [String(LARGER), 1],
  ["255 AND MLOAD", 0],
  ["1023 AND MSTORE", -2],
  ["64 SWAP1 1023 AND KECCAK256", 0],
  ["255 AND SLOAD", 0],
];

/** A loop with random changes of items, which returns them. */
function shuffled(seed: number): string {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % below;
  };
  let height = FEWEST;
  const body: string[] = [];
  while (body.length < 60) {
    const [text, growth] = CHANGES[random(CHANGES.length)] as (typeof CHANGES)[number];
    if (height + growth < FEWEST) continue;
    body.push(text);
    height += growth;
  }
  const counter = "1088 MLOAD 1 ADD DUP1 1088 MSTORE 3 GT @loop JUMPI";
  const store = Array.from({ length: FEWEST }, (_, index) => `${2048 + 32 * index} MSTORE`);
  const removed = "POP ".repeat(height - FEWEST);
  return `${pushes(FEWEST)} loop: ${body.join(" ")} ${removed} ${counter} ${store.join(" ")} ${2048 + 32 * FEWEST} 0 RETURN`;
}
