import { describe, expect, it } from "vitest";
import { isConformanceMissing } from "../support/conformance.js";
import { startWithChain } from "../support/imported-chain.js";
import { chainOf, RPC_SUITES, runRpcSuite } from "../support/rpc-suites.js";

describe.skipIf(isConformanceMissing)("requests about a chain that others produced", () => {
  it.each(RPC_SUITES)("get the same responses: $name in mode $mode", async (suite) => {
    const { mode, options = {}, passed } = suite;
    await using node = await startWithChain({ ...chainOf(suite), mode, options });

    const counted = await runRpcSuite(suite, node);

    expect({ ...counted, output: "" }, counted.output).toEqual({ passed, failed: 0, output: "" });
  });
});
