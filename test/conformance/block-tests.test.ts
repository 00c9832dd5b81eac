import { describe, expect, it } from "vitest";
import { readBlockTests } from "../support/block-tests.js";
import { isConformanceMissing } from "../support/conformance.js";
import { runBlockTest } from "../support/run-block-test.js";

/** `npm run test:conformance` runs all of them, `npm test` every fourth of the two large folders. */
const isComplete = process.env.PLINTH_EVERY_TEST !== undefined;
const PART = isComplete ? 1 : 4;
const TIMEOUT_MS = 300_000;

describe.skipIf(isConformanceMissing)("blocks of ethereum/tests are taken or refused", () => {
  it.each([
    ["cancun", PART, isComplete ? 298 : 75],
    ["istanbul-to-cancun", PART, isComplete ? 347 : 87],
    ["frontier-to-constantinople", 1, 151],
    ["transitions", 1, 12],
  ] as const)("%s", { timeout: TIMEOUT_MS }, async (folder, part, count) => {
    const failures: Record<string, string> = {};
    let passed = 0;
    for (const [index, test] of readBlockTests(folder).entries()) {
      if (index % part !== 0) continue;
      const failure = await runBlockTest(test);
      if (failure === undefined) passed += 1;
      else failures[test.name] = failure;
    }

    expect({ passed, failures }).toEqual({ passed: count, failures: {} });
  });
});
