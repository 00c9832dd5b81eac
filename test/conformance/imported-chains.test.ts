import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing, runSuite } from "../support/conformance.js";
import { startWithChain } from "../support/imported-chain.js";

const METHODS =
  "getBlock|getTransaction|getStorageAt|getLogs|getBalance|getCode|getFilter|getNewFilter|new|feeHistory";

/** Questions whose answer needs another mode of answering. */
const LATER = {
  "besu-jsonrpc": [
    "eth_getBlockByNumber_complete_cancun",
    "eth_getBlockReceiptsBy(Hash|Number)_NotFound",
    "eth_getLogs_blockhash_missingBlockHash",
    "eth_getTransactionByBlockNumberAndIndex_pending",
  ],
  "execution-apis-latest": ["eth_getLogs/filter-error-future-block-range"],
};

describe.skipIf(isConformanceMissing)("a chain that others made", () => {
  it.each([
    ["besu-chain", "chain.blocks", 34n, "run-besu-spec.mjs", "besu-jsonrpc", 65],
    ["execution-apis-latest", "chain.rlp", 54n, "run-io.mjs --besu", "execution-apis-latest", 41],
  ] as const)("is described as they do: %s", async (chain, file, last, runner, suite, count) => {
    await using node = await startWithChain({
      genesis: join(CONFORMANCE, chain, "genesis.json"),
      blocks: join(CONFORMANCE, chain, file),
      last,
    });

    const [program = "", ...words] = runner.split(" ");
    const { passed, failed, output } = await runSuite(program, [
      ...words,
      `--dir=${suite}`,
      `--url=${node.url}`,
      `--only=(^|/)eth_(${METHODS})`,
      `--skip=(^|/)(${LATER[suite].join("|")})$`,
    ]);

    expect({ passed, failed }, output).toEqual({ passed: count, failed: 0 });
  });
});
