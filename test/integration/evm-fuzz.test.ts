import type { Evm } from "@plinth/core";
import { createTestEvm, createTestNode, type TestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CASE_FORKS, CHAIN_ID, createCase, runCase } from "../support/evm-cases.js";
import { isGethEvmMissing, judgeWithGeth } from "../support/geth-state-tests.js";

/** `npm run fuzz:evm` runs many more; `PLINTH_EVM_SEED` begins elsewhere. */
const PROGRAMS = Number(process.env.PLINTH_EVM_PROGRAMS ?? 1000);
const SEED = Number(process.env.PLINTH_EVM_SEED ?? 1);
const GETH_PROGRAMS = Number(process.env.PLINTH_GETH_PROGRAMS ?? 300);
/** So many are handed to a process of geth. */
const PART = 1000;
const MOST_REPORTED = 5;
const TIMEOUT_MS = 24 * 3_600_000;

let node: TestNode;
let own: Evm;
let stock: Evm;
beforeAll(async () => {
  node = await createTestNode();
  own = await createTestEvm({ chainId: CHAIN_ID }, "plinth");
  stock = await createTestEvm({ chainId: CHAIN_ID }, "ethereumjs");
}, 60_000);
afterAll(() => node.stop());

describe("random programs", () => {
  it(`end alike on both EVMs: ${PROGRAMS} from seed ${SEED}`, { timeout: TIMEOUT_MS }, async () => {
    const differences: object[] = [];
    const outcomes: Record<string, number> = {};
    for (let seed = SEED; seed < SEED + PROGRAMS; seed += 1) {
      const one = createCase(seed);
      const [actual, expected] = [
        await runCase(one, { evm: own, node }),
        await runCase(one, { evm: stock, node }),
      ];
      outcomes[actual.outcome] = (outcomes[actual.outcome] ?? 0) + 1;
      if (JSON.stringify(printed(actual)) === JSON.stringify(printed(expected))) continue;
      differences.push({
        seed,
        fork: one.fork,
        actual: printed(actual),
        expected: printed(expected),
      });
      if (differences.length >= MOST_REPORTED) break;
    }

    expect(differences).toEqual([]);
    // A fuzzer whose programs all end alike finds nothing.
    for (const outcome of ["success", "reverted", "halted"]) {
      expect(outcomes[outcome]).toBeGreaterThan(PROGRAMS / 100);
    }
    expect(PROGRAMS).toBeGreaterThanOrEqual(CASE_FORKS.length);
  });

  it.skipIf(isGethEvmMissing())(
    `end alike on geth: ${GETH_PROGRAMS} from seed ${SEED}`,
    { timeout: TIMEOUT_MS },
    async () => {
      const differences: object[] = [];
      for (let seed = SEED; seed < SEED + GETH_PROGRAMS; seed += PART) {
        const runs = [];
        for (let next = seed; next < Math.min(seed + PART, SEED + GETH_PROGRAMS); next += 1) {
          const one = createCase(next);
          runs.push({ one, result: await runCase(one, { evm: own, node }) });
        }
        differences.push(...judgeWithGeth(runs));
        if (differences.length >= MOST_REPORTED) break;
      }

      expect(differences).toEqual([]);
    },
  );
});

function printed(result: object): object {
  return Object.fromEntries(Object.entries(result).map(([name, value]) => [name, String(value)]));
}
