import { describe, expect, it } from "vitest";
import { readBlockTests } from "../support/block-tests.js";
import { isConformanceMissing } from "../support/conformance.js";
import { runBlockTest } from "../support/run-block-test.js";

/**
 * `npm run long -- conformance` runs all of them on both EVMs, `npm test` a part of them on the one
 * of EthereumJS.
 */
const STOCK_PART = process.env.PLINTH_EVERY_TEST === undefined ? 16 : 1;
const TIMEOUT_MS = 900_000;

describe.skipIf(isConformanceMissing)("blocks of ethereum/tests are accepted or rejected", () => {
  it.each([
    ["plinth", "cancun", 1, 298],
    ["plinth", "istanbul-to-cancun", 1, 347],
    ["plinth", "frontier-to-constantinople", 1, 151],
    ["plinth", "transitions", 1, 12],
    ["ethereumjs", "cancun", STOCK_PART, 298],
    ["ethereumjs", "istanbul-to-cancun", STOCK_PART, 347],
    ["ethereumjs", "frontier-to-constantinople", STOCK_PART, 151],
    ["ethereumjs", "transitions", STOCK_PART, 12],
  ] as const)("%s: %s", { timeout: TIMEOUT_MS }, async (evm, folder, part, count) => {
    const failures: Record<string, string> = {};
    let passed = 0;
    for (const [index, test] of readBlockTests(folder).entries()) {
      if (index % part !== 0) continue;
      const failure = await runBlockTest(test, evm);
      if (failure === undefined) passed += 1;
      else failures[test.name] = failure;
    }

    expect({ passed, failures }).toEqual({ passed: Math.ceil(count / part), failures: {} });
  });
});
