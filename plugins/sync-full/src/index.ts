import { definePlugin, option } from "@plinth/core";
import { ethPeers } from "@plinth/plugin-protocol-eth/api";
import { FullSync } from "./full-sync.js";
import { verifySyncMode } from "./sync-mode.js";

export default definePlugin({
  name: "sync-full",
  dependencies: { peers: ethPeers },
  options: {
    syncMode: option.oneOf(["FULL", "FAST", "SNAP", "CHECKPOINT"], {
      summary:
        "How the node catches up with its peers; every block is executed, whatever is named.",
      default: "FULL",
    }),
    syncMinPeers: option.integer({
      summary: "Accepted for command lines of Besu; a full synchronization begins with one peer.",
      default: 1,
      min: 1,
      aliases: ["fastSyncMinPeers"],
    }),
  },
  setup({ config, log, health, onStart }) {
    let sync: FullSync | undefined;
    health.check("sync", () => sync?.health() ?? { status: "up" });
    onStart((runtime) => {
      const { tasks, network, peers } = runtime;
      verifySyncMode(config.syncMode, runtime.chain.blocks.finality);
      if (!network.isEnabled) return;
      if (config.syncMode !== "FULL") {
        log.warn(`--sync-mode=${config.syncMode} is treated as FULL: every block is executed`);
      }
      if (config.syncMinPeers !== 1) {
        log.warn("--sync-min-peers has no effect: a full synchronization begins with one peer");
      }
      log.info("Starting full sync.");
      const started = new FullSync(runtime, peers);
      sync = started;
      tasks.run("synchronization", (signal) => started.run(signal));
    });
  },
});
