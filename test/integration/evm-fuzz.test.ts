import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BothEvms, findDifferences, openBothEvms, seedsFrom } from "../support/both-evms.js";
import { CASE_FORKS, createCase, runCase } from "../support/evm-cases.js";
import { isGethEvmMissing, judgeWithGeth } from "../support/geth-state-tests.js";

/** `npm run long -- fuzz-evm` runs many more; `PLINTH_EVM_SEED` sets the start. */
const PROGRAMS = Number(process.env.PLINTH_EVM_PROGRAMS ?? 60);
const SEED = Number(process.env.PLINTH_EVM_SEED ?? 1);
const GETH_PROGRAMS = Number(process.env.PLINTH_GETH_PROGRAMS ?? 150);
/** Number of programs per process of geth. */
const PART = 1000;
const TIMEOUT_MS = 24 * 3_600_000;

let evms: BothEvms;
beforeAll(async () => {
  evms = await openBothEvms();
}, 60_000);
afterAll(() => evms.node.stop());

describe("random programs", () => {
  it(`end alike on both EVMs, interpreted and compiled: ${PROGRAMS} from seed ${SEED}`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const outcomes: Record<string, number> = {};
    const differences = await findDifferences(seedsFrom(SEED, PROGRAMS), async (seed) => {
      const one = createCase(seed);
      const { node, own, compiling, stock } = evms;
      const actual = await runCase(one, { evm: own, node });
      const compiled = printed(await runCase(one, { evm: compiling, node }));
      const expected = await runCase(one, { evm: stock, node });
      outcomes[actual.outcome] = (outcomes[actual.outcome] ?? 0) + 1;
      const texts = { actual: printed(actual), compiled, expected: printed(expected) };
      return texts.actual === texts.expected && compiled === texts.expected
        ? undefined
        : { seed, fork: one.fork, ...texts };
    });

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
      const { node, compiling: evm } = evms;
      const differences: object[] = [];
      for (let first = SEED; first < SEED + GETH_PROGRAMS; first += PART) {
        const count = Math.min(PART, SEED + GETH_PROGRAMS - first);
        const runs = [];
        for (const seed of seedsFrom(first, count)) {
          const one = createCase(seed);
          runs.push({ one, result: await runCase(one, { evm, node }) });
        }
        differences.push(...judgeWithGeth(runs));
        if (differences.length > 0) break;
      }

      expect(differences).toEqual([]);
    },
  );
});

function printed(result: object): string {
  return JSON.stringify(result, (_, value) => (typeof value === "bigint" ? String(value) : value));
}
