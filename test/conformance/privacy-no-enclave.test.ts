import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replayBesuLive, VECTORS } from "../support/conformance.js";
import { freePort } from "../support/free-port.js";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const LIMIT_MS = 120_000;

describe("responses of a Besu whose manager is away", () => {
  it("match ours, in mode besu", { timeout: LIMIT_MS }, async () => {
    using folder = temporaryFolder();
    const network = join(VECTORS, "besu-live/networks/clique");
    await using node = await startNode(
      [
        `--genesis-file=${join(network, "genesis.json")}`,
        `--node-private-key-file=${join(network, "node.key")}`,
        "--rpc-compatibility=besu",
        "--rpc-http-enabled",
        "--host-allowlist=localhost,127.0.0.1",
        "--rpc-http-api=ETH,NET,WEB3,DEBUG,TRACE,ADMIN,MINER,TXPOOL,CLIQUE,PERM,PRIV,EEA",
        "--privacy-enabled",
        `--privacy-url=http://127.0.0.1:${await freePort()}`,
        `--privacy-public-key-file=${join(network, "manager.pub")}`,
        `--privacy-marker-transaction-signing-key-file=${join(network, "marker.key")}`,
      ],
      { folder: folder.path },
    );

    const { passed, failed, output } = await replayBesuLive([
      "--file=besu-live/privacy-no-enclave.json",
      "--states=^(any|privacy node without manager)$",
      `--url=${node.url}`,
    ]);

    expect({ passed, failed }, output).toEqual({ passed: 14, failed: 0 });
  });
});
