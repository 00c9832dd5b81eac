import { copyFileSync } from "node:fs";
import { join } from "node:path";
import permissioningLocal from "@plinth/plugin-permissioning-local";
import {
  CONFORMANCE,
  createTestNode,
  FakeClock,
  isConformanceMissing,
  MemoryNetwork,
  VECTORS,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { until } from "../network/network-node.js";
import { replayBesuLive } from "../support/conformance.js";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const LIMIT_MS = 120_000;

/** The files of Besu's own tests, with the enabled lists and the expected errors. */
const FILES: readonly (readonly [string, readonly ("Accounts" | "Nodes")[], string | undefined])[] =
  [
    ["permissioning_config.toml", ["Accounts", "Nodes"], undefined],
    ["permissioning_config_account_allowlist_only.toml", ["Accounts"], undefined],
    [
      "permissioning_config_account_allowlist_only.toml",
      ["Nodes"],
      "nodes-allowlist config option missing",
    ],
    ["permissioning_config_node_allowlist_only.toml", ["Nodes"], undefined],
    [
      "permissioning_config_node_allowlist_only.toml",
      ["Accounts"],
      "accounts-allowlist config option missing",
    ],
    ["permissioning_config_empty_allowlists.toml", ["Accounts", "Nodes"], undefined],
    ["permissioning_config_invalid_account.toml", ["Accounts"], "Invalid account"],
    ["permissioning_config_invalid_enode.toml", ["Nodes"], "Invalid node ID"],
    [
      "permissioning_config_unrecognized_key.toml",
      ["Accounts"],
      "accounts-allowlist config option missing",
    ],
  ];

describe.skipIf(isConformanceMissing)("permission files", () => {
  it.each(FILES)("%s with %j", async (name, enabled, problem) => {
    const path = join(CONFORMANCE, "permissioning", name);
    const network = new MemoryNetwork({ clock: new FakeClock(Date.now()) });
    const options = Object.fromEntries(
      enabled.flatMap((list) => [
        [`permissions${list}ConfigFileEnabled`, true],
        [`permissions${list}ConfigFile`, path],
      ]),
    );
    const started = createTestNode({
      plugins: [permissioningLocal, network.plugin("n")],
      options: { networkDriver: "memory", ...options },
    });

    if (problem !== undefined) return expect(started).rejects.toThrow(problem);
    await (await started).stop();
  });
});

describe("responses recorded from a Besu with permissions", () => {
  it(
    "match ours, in mode besu",
    async () => {
      const network = join(VECTORS, "besu-live/networks/clique");
      using folder = temporaryFolder();
      const file = folder.file("permissions.toml");
      copyFileSync(join(network, "permissions_config.toml"), file);
      await using node = await startNode(
        [
          `--genesis-file=${join(network, "genesis.json")}`,
          `--node-private-key-file=${join(network, "node.key")}`,
          "--rpc-compatibility=besu",
          "--rpc-http-enabled",
          "--rpc-http-api=ETH,PERM",
          "--p2p-interface=127.0.0.1",
          "--p2p-port=0",
          "--permissions-accounts-config-file-enabled",
          `--permissions-accounts-config-file=${file}`,
          "--permissions-nodes-config-file-enabled",
          `--permissions-nodes-config-file=${file}`,
        ],
        { folder: folder.path, environment: { PLINTH_P2P_ENABLED: "true" } },
      );
      await until(async () => Number(await node.rpc("eth_blockNumber")) > 0, LIMIT_MS);

      const { passed, failed, output } = await replayBesuLive([
        "--file=besu-live/permissioning.json",
        "--states=^(any|clique network with permissioning)$",
        `--url=${node.url}`,
      ]);

      expect({ passed, failed }, output).toEqual({ passed: 21, failed: 0 });
    },
    LIMIT_MS,
  );
});
