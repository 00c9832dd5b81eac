import type { Address } from "@plinth/core";
import { EMPTY_ROOT } from "@plinth/core";
import type { Evm } from "@plinth/core/evm";
import { createTestEvm, createTestNode, type TestNode } from "@plinth/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { assemble } from "../support/assembler.js";
import { blockOf, CHAIN_ID, fill } from "../support/evm-cases.js";

const SENDER: Address = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const TARGET: Address = "0x00000000000000000000000000000000000a0001";
/** Just enough to be compiled by default. */
const HOT = 16_100;
const MAX_CODE_BYTES = 24_576;
const LARGEST = 2n ** 256n - 189n;
const STRICT = process.env.PLINTH_STRICT !== undefined;
/** `npm run long -- attacks` has the exact limit, which needs a machine without other work. */
const MOST = STRICT ? 1.5 : 3;
const ROUNDS = STRICT ? 5 : 2;

let node: TestNode;
let interpreting: Evm;
let compiling: Evm;
beforeAll(async () => {
  node = await createTestNode();
  interpreting = await createTestEvm({ chainId: CHAIN_ID }, "plinth", { evmCompile: "NEVER" });
  compiling = await createTestEvm({ chainId: CHAIN_ID }, "plinth", { evmCompile: "HOT" });
}, 60_000);
afterAll(() => node.stop());

const counted = (body: string, rounds = HOT) =>
  `${rounds} loop: ${body} 1 SWAP1 SUB DUP1 @loop JUMPI POP`;

/** Code that is made to be compiled in vain, or to be slow when it is. */
const HOSTILE: Readonly<Record<string, () => Uint8Array>> = {
  "one small loop in much code": () => {
    const code = new Uint8Array(MAX_CODE_BYTES).fill(0x5b);
    code.set(assemble(`${counted("")} STOP`));
    return code;
  },
  "loops that become hot one after the other": () =>
    joined(Array.from({ length: 400 }, () => counted(""))),
  "regions in a ring that fit into no function": () => ring(2_000, 387),
  "a large region of memory accesses": () =>
    assemble(
      `${counted(`${"1 ".repeat(120)}${"MLOAD ".repeat(100)}${"POP ".repeat(120)}`, 20_000)} STOP`,
    ),
  "values that change their form": () =>
    assemble(`1 ${counted(`SWAP1 ${LARGEST} XOR DUP1 3 ADD DUP2 LT POP SWAP1`, 100_000)} STOP`),
  "products that exceed a number": () =>
    assemble(`3 ${counted("SWAP1 DUP1 MUL 3 ADD SWAP1", 100_000)} STOP`),
  "jumps whose targets are computed": () => computedJumps(),
  "jumps with a condition whose targets are computed": () =>
    assemble("@loop 200000 loop: 1 SWAP1 SUB DUP1 DUP3 JUMPI STOP"),
  "jumps to comparisons": () =>
    assemble(
      "CALLDATASIZE loop: 1 ADD DUP1 200000 GT ISZERO @end JUMPI 1 ISZERO ISZERO JUMP end: STOP",
    ),
  "calls of code that ends at once": () =>
    assemble(
      `CALLDATASIZE @end JUMPI ${counted("0 0 1 0 ADDRESS GAS STATICCALL POP", 40_000)} end: STOP`,
    ),
  "large regions that never run again once they are compiled": () => regionsOfManyAccesses(),
};

it.each(Object.keys(HOSTILE))(
  `takes at most ${MOST} times as long as interpreted: %s`,
  { timeout: 300_000 },
  async (name) => {
    const code = (HOSTILE[name] as () => Uint8Array)();
    const [interpreted, compiled]: [number[], number[]] = [[], []];
    await time(interpreting, code, 0);
    for (let round = 1; round <= ROUNDS; round += 1) {
      interpreted.push(await time(interpreting, code, round));
      compiled.push(await time(compiling, code, round));
    }
    const ratio = Math.min(...compiled) / Math.min(...interpreted);

    expect(ratio).toBeLessThan(MOST);
  },
);

/** Milliseconds of a run; every round is code that was never run before. */
async function time(evm: Evm, code: Uint8Array, round: number): Promise<number> {
  const own = new Uint8Array(code.length + 4);
  own.set(code);
  new DataView(own.buffer).setUint32(code.length, round);
  const state = node.node.blocks.simulation.states.open({ stateRoot: EMPTY_ROOT });
  fill(state, { [SENDER]: { balance: 10n ** 30n }, [TARGET]: { code: own } });
  const block = blockOf("cancun");
  const message = {
    from: SENDER,
    to: TARGET,
    data: new Uint8Array(),
    value: 0n,
    gasLimit: 2_000_000_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  };
  const start = performance.now();
  const { outcome } = await evm.runMessage(message, {
    block: { ...block, gasLimit: 2n ** 50n, baseFeePerGas: 0n },
    state,
  });
  const ms = performance.now() - start;
  expect(outcome).toBe("success");
  return ms;
}

/** Parts of code, each with its own labels. */
function joined(parts: readonly string[]): Uint8Array {
  return assemble(
    `${parts.map((part, index) => part.replaceAll("loop", `loop${index}`)).join(" ")} STOP`,
  );
}

/** Regions that jump to one another, in an order in which neighbors are far away from each other. */
function ring(regions: number, step: number): Uint8Array {
  const next = (index: number) => (index + step) % regions;
  const parts = Array.from(
    { length: regions },
    (_, index) =>
      `r${index}: ${index === 0 ? "1 SWAP1 SUB DUP1 ISZERO @end JUMPI " : ""}@r${next(index)} JUMP`,
  );
  return assemble(`${HOT * 3} @r0 JUMP ${parts.join(" ")} end: STOP`);
}

/** Each region of many accesses is entered just often enough to be compiled with the small loop after it. */
function regionsOfManyAccesses(): Uint8Array {
  const accesses = `#9091929394959697989990 0 ${"MLOAD ".repeat(360)} POP`;
  const parts = Array.from(
    { length: 50 },
    (_, index) =>
      `2050 a${index}: ${accesses} 1 SWAP1 SUB DUP1 @a${index} JUMPI POP ${HOT} b${index}: 1 SWAP1 SUB DUP1 @b${index} JUMPI POP`,
  );
  return assemble(`${"1 ".repeat(12)} 0 MLOAD POP ${parts.join(" ")} STOP`);
}

function computedJumps(): Uint8Array {
  // Each of eight regions of 8 bytes jumps to the one after it.
  const body = "0 MLOAD 1 ADD DUP1 0 MSTORE";
  return assemble(
    `200000 loop: ${body} POP @back 0 MLOAD 7 AND 0 MUL @first ADD JUMP first: JUMP back: 1 SWAP1 SUB DUP1 @loop JUMPI STOP`,
  );
}
