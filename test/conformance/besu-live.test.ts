import { describe, expect, it } from "vitest";
import { replayBesuLive } from "../support/conformance.js";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const NETWORK = "needs peers that speak eth";

/** Skipped cases, as regular expressions over their names, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  protocolVersion: NETWORK,
  "GET /readiness": NETWORK,
};

describe("responses recorded from a running Besu", () => {
  it("match ours on the network dev, in mode besu, over HTTP, WebSocket and GraphQL", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(
      [
        "--network=dev",
        "--miner-enabled",
        "--miner-coinbase=0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
        "--rpc-compatibility=besu",
        "--rpc-http-enabled",
        "--rpc-http-api=ETH,NET,WEB3,MINER,TXPOOL,ADMIN,DEBUG,TRACE,CLIQUE,PLUGINS,PERM,EEA,PRIV,IBFT,QBFT",
        "--rpc-ws-enabled",
        "--graphql-http-enabled",
        "--p2p-interface=127.0.0.1",
        "--p2p-port=0",
      ],
      { folder: folder.path, environment: { PLINTH_P2P_ENABLED: "true" } },
    );

    const { passed, failed, output } = await replayBesuLive([
      "--file=besu-live/dev.json",
      "--file=besu-live/graphql.json",
      // Those of GraphQL were recorded on a network, too: the same queries, with responses of the
      // same form.
      "--states=^(any|fresh dev chain|qbft network)$",
      `--url=${node.url}`,
      `--ws-url=${node.wsUrl}`,
      `--graphql-url=${node.graphqlUrl}`,
      `--skip=^dev: (${Object.keys(LEFT_OUT).join("|")})$`,
    ]);

    expect({ passed, failed }, output).toEqual({ passed: 148, failed: 0 });
  });
});
