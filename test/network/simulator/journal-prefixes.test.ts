import type { Proposal, RoundChange } from "@plinth/kit-bft";
import { beforeAll, describe, expect, it } from "vitest";
import { IBFT, QBFT } from "./engines.js";
import type { Fault } from "./faults.js";
import { loadSimulatedCrypto } from "./simulated-signatures.js";
import { type SimulatedEngine, Simulation } from "./simulation.js";

/**
 * A height of two rounds has at most eight durable writes; `npm run long -- simulate` tries all of
 * them.
 */
const WRITES = process.env.PLINTH_SCHEDULES === undefined ? 5 : 8;
const LIAR = 3;
const HONEST = [0, 1, 2];
const ENDS_AT_MS = 9000;

beforeAll(async () => {
  await loadSimulatedCrypto();
});

describe("a crash at each write of the journal, while a liar claims nothing and commits are lost", () => {
  it("splits no QBFT chain", async () => {
    expect(await runPrefixes(QBFT)).toBe(2 * WRITES * HONEST.length);
  });

  it("splits no IBFT 2.0 chain", async () => {
    expect(await runPrefixes(IBFT)).toBe(2 * WRITES * HONEST.length);
  });
});

/** Runs the schedules; rejects with the first that breaks an invariant. Returns their number. */
async function runPrefixes<P extends Proposal, R extends RoundChange>(
  engine: SimulatedEngine<P, R>,
): Promise<number> {
  let count = 0;
  for (let write = 1; write <= WRITES; write++) {
    for (const isWritten of [true, false]) {
      // One of them, two, or all honest ones.
      for (const crashing of HONEST) {
        const crashes = HONEST.slice(0, crashing + 1).map(
          (node): Fault => ({
            ...{ at: 10, kind: "crash at write", node, write, isWritten },
            restartsAfterMs: 200,
          }),
        );
        const loss: Fault = {
          ...{ at: 0, kind: "lose", message: "commit", belowRound: 2, reachesOnly: 2 },
        };
        await new Simulation(engine, {
          seed: write,
          validators: 4,
          byzantine: { [LIAR]: ["claims nothing"] },
          weather: { delayMs: 10, jitterMs: 5, loss: 0, duplication: 0 },
          faults: [loss, ...crashes],
          transitions: [],
          endsAt: ENDS_AT_MS,
        }).run();
        count++;
      }
    }
  }
  return count;
}
