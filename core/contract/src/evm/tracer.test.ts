import { StateStore } from "@plinth/chain";
import { createTestEvm } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { EMPTY_ROOT } from "../blocks/ordered-root.js";
import { loadCrypto } from "../primitives/crypto.js";
import { type Address, hexToBytes, toHex } from "../primitives/hex.js";
import { createMemoryStorageDriver } from "../storage/memory-store.js";
import type { BlockContext, Message } from "./evm.js";
import type { TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "./tracer.js";
import type { WorldState } from "./world-state.js";

const SENDER: Address = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const CALLER: Address = "0x00000000000000000000000000000000000000aa";
const CALLEE: Address = "0x00000000000000000000000000000000000000bb";
const HASHER: Address = "0x0000000000000000000000000000000000000002";

/** Calls an address without data, with 1000 gas, and stops. */
function callTo(op: string, to: Address): string {
  const value = op === "f1" || op === "f2" ? "6000" : "";
  return `6000600060006000${value}73${to.slice(2)}6103e8${op}00`;
}

beforeAll(async () => {
  await loadCrypto();
});

describe("a tracer", () => {
  it("receives every frame, step and end in order", async () => {
    const { events } = await trace({ [CALLER]: callTo("f1", CALLEE), [CALLEE]: "6001600255" });

    expect(events.map(nameOf)).toEqual([
      "enter call 1",
      "step 60",
      "step 60",
      "step 60",
      "step 60",
      "step 60",
      "step 73",
      "step 61",
      "step f1",
      "enter call 2",
      "step 60",
      "step 60",
      "step 55",
      "exit halted 2",
      "step 00",
      "exit success 1",
    ]);
  });

  it.each([
    ["f1", "call", CALLER, CALLEE, CALLEE],
    ["f2", "callcode", CALLER, CALLER, CALLEE],
    ["f4", "delegatecall", SENDER, CALLER, CALLEE],
    ["fa", "staticcall", CALLER, CALLEE, CALLEE],
  ])("reports frames of the instruction %s", async (op, kind, from, to, codeAddress) => {
    const { events } = await trace({ [CALLER]: callTo(op, CALLEE), [CALLEE]: "00" });

    expect(events.findLast((event) => "kind" in event)).toMatchObject({
      kind,
      depth: 2,
      from,
      to,
      codeAddress,
      gas: 1000n,
      isPrecompile: false,
    });
  });

  it("reports precompiles as frames without steps", async () => {
    const { events } = await trace({ [CALLER]: callTo("f1", HASHER) });

    expect(events.slice(-4).map(nameOf)).toEqual([
      "enter call 2",
      "exit success 2",
      "step 00",
      "exit success 1",
    ]);
    expect(events.at(-4)).toMatchObject({ codeAddress: HASHER, isPrecompile: true });
  });

  it("receives stack and memory before a step, and its cost", async () => {
    // Writes 5 at 0x20, which expands memory to two words.
    const { events } = await trace({ [CALLER]: "600560205200" });

    const steps = events.filter((event): event is TraceStep => "pc" in event);
    expect(steps[2]).toMatchObject({ op: 0x52, pc: 4, stack: [5n, 0x20n], cost: 9n });
    expect(steps[2]?.memory).toHaveLength(0);
    expect(toHex(steps[3]?.memory ?? new Uint8Array())).toBe(`0x${"00".repeat(63)}05`);
    expect(steps[3]?.gas).toBe((steps[2]?.gas ?? 0n) - 9n);
  });

  it("reports the end of the code as a STOP", async () => {
    const { events } = await trace({ [CALLER]: "6005600352" });

    const last = events.at(-2);
    expect(last).toMatchObject({ op: 0, pc: 5, cost: 0n, stack: [], isImplicit: true });
    expect((last as TraceStep).memory).toHaveLength(64);
  });

  it("reports creations, with the address at the end", async () => {
    // Creates a contract from the code in memory: the byte 0.
    const { events } = await trace({ [CALLER]: "600160006000f000" });

    const [, , , , , enter, , exit] = events;
    expect(enter).toMatchObject({ kind: "create", to: undefined, depth: 2 });
    expect(exit).toMatchObject({
      outcome: "success",
      createdAddress: expect.stringMatching(/^0x/),
    });
  });

  it.each<[string, Tracer]>([
    ["at once", { step: () => fail() }],
    [
      "after a while",
      { step: () => new Promise((_, reject) => setImmediate(() => reject(FAULT))) },
    ],
  ])("aborts a run by failing %s, without effect on the next one", async (_, tracer) => {
    const evm = await createTestEvm({ chainId: 1337n });
    // Returns the value of a transient storage slot, after writing it.
    const code = { [CALLER]: "60005c600052600160005d60206000f3" };
    const run = async (tracer: Tracer) =>
      evm.runMessage(MESSAGE, { block: BLOCK, state: await stateWith(code), tracer });
    let steps = 0;
    const late: Tracer = {
      step: () => (++steps > 6 ? tracer.step?.({} as TraceStep) : undefined),
    };
    await expect(run(late)).rejects.toThrow("enough");

    expect(toHex((await run({})).returnValue)).toBe(`0x${"00".repeat(32)}`);
  });
});

const FAULT = new Error("enough");

function fail(): never {
  throw FAULT;
}

const MESSAGE: Message = {
  from: SENDER,
  to: CALLER,
  data: new Uint8Array(),
  value: 0n,
  gasLimit: 200_000n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
};

const BLOCK: BlockContext = {
  fork: "cancun",
  number: 1n,
  timestamp: 1n,
  gasLimit: 30_000_000n,
  difficulty: 0n,
  mixHash: `0x${"00".repeat(32)}`,
  feeRecipient: `0x${"00".repeat(20)}`,
  baseFeePerGas: 0n,
  blobBaseFee: 1n,
  hashOf: () => `0x${"00".repeat(32)}`,
};

type TraceEvent = TraceFrame | TraceFrameEnd | TraceStep;

async function trace(code: Readonly<Record<Address, string>>) {
  const events: TraceEvent[] = [];
  const tracer: Tracer = {
    enter: (frame) => events.push(frame),
    step: (step) => {
      events.push(step);
    },
    exit: (end) => events.push(end),
  };
  const evm = await createTestEvm({ chainId: 1337n });
  const state = await stateWith(code);
  const result = await evm.runMessage(MESSAGE, { block: BLOCK, state, tracer });
  return { events, result };
}

function nameOf(event: TraceEvent): string {
  if ("kind" in event) return `enter ${event.kind} ${event.depth}`;
  if ("outcome" in event) return `exit ${event.outcome} ${event.depth}`;
  return `step ${event.op.toString(16).padStart(2, "0")}`;
}

async function stateWith(code: Readonly<Record<Address, string>>): Promise<WorldState> {
  const states = new StateStore(await createMemoryStorageDriver().open({ folder: "" }));
  const state = states.open({ stateRoot: EMPTY_ROOT });
  state.setAccount(SENDER, { balance: 1n });
  for (const [address, hex] of Object.entries(code)) {
    state.setCode(address as Address, hexToBytes(hex));
  }
  return state;
}
