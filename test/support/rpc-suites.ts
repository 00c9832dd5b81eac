import { join } from "node:path";
import type { CompatibilityMode } from "@plinth/core";
import { CONFORMANCE, type Counted, runSuite } from "./conformance.js";

/** Recorded requests about a chain, and how many of them a node passes. */
export interface RpcSuite {
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

/** The suites of other projects. */
export const RPC_SUITES: readonly RpcSuite[] = [
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

/** The genesis file and the blocks of a suite. */
export function chainOf({ chain }: RpcSuite) {
  const folder = join(CONFORMANCE, chain.folder);
  return {
    genesis: join(folder, "genesis.json"),
    blocks: join(folder, chain.file),
    last: chain.last,
  };
}

/** Runs a suite on a node with its chain. */
export function runRpcSuite(
  { name, runner: command, only = [".*"], leftOut }: RpcSuite,
  { url, graphqlUrl }: { readonly url: string; readonly graphqlUrl: string },
): Promise<Counted> {
  const [runner = "", ...words] = command.split(" ");
  const skipped = Object.keys(leftOut);
  return runSuite(runner, [
    ...words,
    `--dir=${name}`,
    `--url=${url}`,
    ...(name === "besu-graphql" ? [`--graphql-url=${graphqlUrl}`] : []),
    `--only=^(.*/)?(${only.join("|")})$`,
    ...(skipped.length > 0 ? [`--skip=^(.*/)?(${skipped.join("|")})$`] : []),
  ]);
}
