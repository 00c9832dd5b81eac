import { describe, expect, it } from "vitest";
import { readBlockTests } from "../support/block-tests.js";
import { isConformanceMissing } from "../support/conformance.js";
import { runBlockTest } from "../support/run-block-test.js";

/**
 * `npm run long -- conformance` runs all of them on both EVMs and with both layouts of states, `npm test` a part of them
 * on the EVM of EthereumJS, and with the tries of all states.
 */
const PART = process.env.PLINTH_EVERY_TEST === undefined ? 16 : 1;
const TIMEOUT_MS = 900_000;

const FOLDERS = [
  ["cancun", 298],
  ["istanbul-to-cancun", 347],
  ["frontier-to-constantinople", 151],
  ["transitions", 12],
] as const;
const NODES = [
  { evm: "plinth", states: "BONSAI", part: 1 },
  { evm: "plinth", states: "FOREST", part: PART },
  { evm: "ethereumjs", states: "BONSAI", part: PART },
] as const;
const RUNS = NODES.flatMap((node) =>
  FOLDERS.map(([folder, count]) => ({ ...node, folder, count })),
);

describe.skipIf(isConformanceMissing)("blocks of ethereum/tests are accepted or rejected", () => {
  it.each(RUNS)("$evm, $states: $folder", { timeout: TIMEOUT_MS }, async (run) => {
    const { folder, part, count } = run;
    const failures: Record<string, string> = {};
    let passed = 0;
    for (const [index, test] of readBlockTests(folder).entries()) {
      if (index % part !== 0) continue;
      const failure = await runBlockTest(test, run);
      if (failure === undefined) passed += 1;
      else failures[test.name] = failure;
    }

    expect({ passed, failures }).toEqual({ passed: Math.ceil(count / part), failures: {} });
  });
});
