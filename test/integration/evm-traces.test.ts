import { EMPTY_ROOT, toHex } from "@plinth/core";
import type { Evm, TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "@plinth/core/evm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BothEvms, findDifferences, openBothEvms, seedsFrom } from "../support/both-evms.js";
import { blockOf, createCase, type EvmCase, fill } from "../support/evm-cases.js";

/** `PLINTH_EVM_TRACES` traces more; `PLINTH_EVM_SEED` sets the start. */
const PROGRAMS = Number(process.env.PLINTH_EVM_TRACES ?? 25);
const SEED = Number(process.env.PLINTH_EVM_SEED ?? 1);
const TIMEOUT_MS = 24 * 3_600_000;

let evms: BothEvms;
beforeAll(async () => {
  evms = await openBothEvms();
}, 60_000);
afterAll(() => evms.node.stop());

describe("traces of random programs", () => {
  it(`are alike on both EVMs: ${PROGRAMS} from seed ${SEED}`, { timeout: TIMEOUT_MS }, async () => {
    let events = 0;
    const differences = await findDifferences(seedsFrom(SEED, PROGRAMS), async (seed) => {
      const one = createCase(seed);
      const [actual, expected] = [await trace(one, evms.own), await trace(one, evms.stock)];
      events += actual.length;
      const length = Math.max(actual.length, expected.length);
      const at = Array.from({ length }).findIndex((_, index) => actual[index] !== expected[index]);
      if (at < 0) return undefined;
      const before = actual[at - 1];
      return { seed, fork: one.fork, before, actual: actual[at], expected: expected[at] };
    });

    expect(differences).toEqual([]);
    expect(events).toBeGreaterThan(10 * PROGRAMS);
  });
});

/** Any of the events of a tracer. */
type TraceEvent = Partial<TraceFrame & TraceStep & TraceFrameEnd>;

/** All events of a tracer, as texts. */
async function trace({ fork, accounts, transaction }: EvmCase, evm: Evm): Promise<string[]> {
  const events: TraceEvent[] = [];
  const note = (event: TraceEvent) => void events.push(event);
  const tracer: Tracer = { enter: note, step: note, exit: note };
  const state = evms.node.node.blocks.simulation.states.open({ stateRoot: EMPTY_ROOT });
  fill(state, accounts);
  await evm.runTransaction(transaction, { block: blockOf(fork), state, tracer });
  return events.map((event, index) => {
    const next = events[index + 1] ?? {};
    return JSON.stringify(comparable(event, next), printed);
  });
}

/** Without what the drivers report differently. */
function comparable(event: TraceEvent, next: TraceEvent): TraceEvent {
  if (isUnpaid(event, next)) return { ...event, cost: 0n };
  // EthereumJS may have dropped refunds by the end of the code.
  return event.isImplicit === true ? { ...event, refund: 0n } : event;
}

/**
 * The cost of an instruction that cannot be paid is reported differently: EthereumJS omits the cost
 * of a call besides its static gas, and has numbers for memory beyond any size.
 */
function isUnpaid(event: TraceEvent, next: TraceEvent): boolean {
  return "cost" in event && next.halt === "INSUFFICIENT_GAS";
}

function printed(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `0x${value.toString(16)}`;
  // EthereumJS omits memory that was accessed and never written.
  if (value instanceof Uint8Array) {
    return toHex(value.subarray(0, value.findLastIndex((byte) => byte !== 0) + 1));
  }
  return sorted(value);
}

/** Sorted by name, so that the order of fields does not matter. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
