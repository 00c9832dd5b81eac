import { join } from "node:path";
import type { CompatibilityMode } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing, runSuite } from "../support/conformance.js";
import { startWithChain } from "../support/imported-chain.js";

interface Suite {
  readonly name: string;
  readonly runner: string;
  readonly mode: CompatibilityMode;
  readonly chain: { readonly folder: string; readonly file: string; readonly last: bigint };
  readonly options?: Readonly<Record<string, unknown>>;
  /** Only these, as regular expressions. */
  readonly only?: readonly string[];
  readonly passed: number;
  /** Skipped cases, as regular expressions over their names, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
}

/**
 * From the state of 2024, in which transactions and logs did not yet have the time of their block.
 */
const WITHOUT_TIME = [
  "eth_getBlockByNumber/get-(block-n|latest)",
  "eth_getLogs/(contract-addr|no-topics|topic-wildcard)",
  "eth_getTransactionByBlockNumberAndIndex/get-block-n",
  "eth_getTransactionByHash/get-(access-list|legacy-create|legacy-input|legacy-tx)",
  "eth_getTransactionReceipt/get-(access-list|blob-tx|dynamic-fee)",
];

const SUITES: readonly Suite[] = [
  {
    name: "execution-apis-cancun",
    runner: "run-io.mjs",
    mode: "spec",
    chain: { folder: "execution-apis-cancun", file: "chain.rlp", last: 20n },
    passed: 42,
    leftOut: {
      ...Object.fromEntries(
        WITHOUT_TIME.map((name) => [name, "the specification has blockTimestamp since"]),
      ),
      "eth_feeHistory/fee-history":
        "expects blob gas of block 2, which has none: the answer does not belong to the chain",
      "eth_getStorageAt/get-storage-invalid-key":
        "expects -32000 where the later state of the same suite expects -32602",
    },
  },
  {
    name: "execution-apis-cancun",
    runner: "run-io.mjs --besu",
    mode: "plinth",
    chain: { folder: "execution-apis-cancun", file: "chain.rlp", last: 20n },
    only: WITHOUT_TIME,
    passed: 13,
    leftOut: {},
  },
  {
    name: "execution-apis-latest",
    runner: "run-io.mjs",
    mode: "spec",
    chain: { folder: "execution-apis-latest", file: "chain.rlp", last: 54n },
    passed: 152,
    leftOut: {
      "testing_.*": "methods for tests of consensus clients",
    },
  },
  {
    name: "besu-jsonrpc",
    runner: "run-besu-spec.mjs",
    mode: "besu",
    chain: { folder: "besu-chain", file: "chain.blocks", last: 34n },
    options: { networkId: 123, minGasPrice: "0" },
    passed: 119,
    leftOut: {
      "eth/eth_sendRawTransaction_invalidNonceTooLow":
        "pays 1 wei per gas, which a running Besu rejects before it checks the nonce (json-rpc.md 2.4)",
      "eth/eth_protocolVersion": "the recorded node spoke eth/63, this one speaks eth/69",
    },
  },
  {
    name: "besu-graphql",
    runner: "run-besu-spec.mjs",
    mode: "besu",
    chain: { folder: "besu-chain", file: "chain.blocks", last: 34n },
    options: { networkId: 123, minGasPrice: "0" },
    passed: 37,
    leftOut: {},
  },
  {
    name: "besu-jsonrpc-trace-chain",
    runner: "run-besu-spec.mjs",
    mode: "besu",
    chain: { folder: "besu-trace-chain", file: "chain.blocks", last: 33n },
    passed: 286,
    leftOut: {},
  },
];

describe.skipIf(isConformanceMissing)("requests about a chain that others produced", () => {
  it.each(SUITES)("get the same responses: $name in mode $mode", async (suite) => {
    const { name, mode, chain, options = {}, passed, only = [".*"], leftOut } = suite;
    const [runner = "", ...words] = suite.runner.split(" ");
    await using node = await startWithChain({
      genesis: join(CONFORMANCE, chain.folder, "genesis.json"),
      blocks: join(CONFORMANCE, chain.folder, chain.file),
      last: chain.last,
      mode,
      options,
    });

    const counted = await runSuite(runner, [
      ...words,
      `--dir=${name}`,
      `--url=${node.url}`,
      ...(name === "besu-graphql" ? [`--graphql-url=${node.graphqlUrl}`] : []),
      `--only=^(.*/)?(${only.join("|")})$`,
      ...Object.keys(leftOut)
        .slice(0, 1)
        .map(() => `--skip=^(.*/)?(${Object.keys(leftOut).join("|")})$`),
    ]);

    expect({ ...counted, output: "" }, counted.output).toEqual({ passed, failed: 0, output: "" });
  });
});
