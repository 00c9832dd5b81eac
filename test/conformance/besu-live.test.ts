import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing, runSuite } from "../support/conformance.js";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** What a chain of proof of work that nobody mines can answer: the envelope, both transports, four namespaces. */
const CASES = [
  "web3_clientVersion",
  "net_version",
  "unknown method",
  "invalid JSON body.*",
  "empty (body|batch|object)",
  "JSON string body",
  "batch .*",
  "notification.*",
  "id null",
  "object id",
  "no jsonrpc field",
  "jsonrpc 1.0",
  "params (null|object)",
  "extra params",
  "content type text/plain",
  "GET /(liveness)?",
  "bad Host header",
  "POST /foo",
  "web3_sha3.*",
  "txpool_content",
  "ws (chainId|unknown)",
  "getBlockByNumber safe",
];

/** What a chain without a past can answer. */
const CHAIN_CASES = [
  "getLogs.*",
  "new(Block)?Filter",
  "getFilter(Changes|Logs) unknown",
  "subscribe over http",
  "ws bad subscribe",
  "feeHistory",
  "eth_getBlockReceipts",
  "eth_getUncleCountByBlockNumber",
];

describe.skipIf(isConformanceMissing)("answers recorded from a running Besu", () => {
  it("are ours too: envelope, batches, ids, status codes, hosts, content types", async () => {
    using folder = temporaryFolder();
    const genesis = join(CONFORMANCE, "besu-live/networks/dev/genesis.json");
    await using node = await startNode(
      [`--genesis-file=${genesis}`, "--network-id=2018", "--rpc-http-enabled", "--rpc-ws-enabled"],
      { folder: folder.path },
    );

    const { passed, failed, output } = await runSuite("run-besu-live.mjs", [
      "--file=besu-live/dev.json",
      `--url=${node.url}`,
      `--ws-url=${node.wsUrl}`,
      `--only=^dev: (${CASES.join("|")})$`,
    ]);

    expect({ passed, failed }, output).toEqual({ passed: 30, failed: 0 });
  });

  it("are ours too: logs, filters, subscriptions and fees of a chain that has just begun", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(
      ["--profile=dev", "--rpc-http-enabled", "--rpc-ws-enabled"],
      { folder: folder.path },
    );

    const { passed, failed, output } = await runSuite("run-besu-live.mjs", [
      "--file=besu-live/dev.json",
      `--url=${node.url}`,
      `--ws-url=${node.wsUrl}`,
      `--only=^dev: (${CHAIN_CASES.join("|")})$`,
    ]);

    expect({ passed, failed }, output).toEqual({ passed: 13, failed: 0 });
  });
});
