import { definePlugin, option } from "@plinth/core";
import { ethPeers } from "@plinth/plugin-protocol-eth/api";
import { FullSync } from "./full-sync.js";

export default definePlugin({
  name: "sync-full",
  dependencies: { peers: ethPeers },
  options: {
    syncMode: option.oneOf(["FULL", "FAST", "SNAP", "CHECKPOINT"], {
      summary: "Sync mode; every block is executed in any mode.",
      default: "FULL",
      noEffect: (mode) => (mode === "FULL" ? undefined : "every block is executed, as with FULL"),
    }),
    syncMinPeers: option.integer({
      summary: "Accepted for compatibility with Besu; a full synchronization starts with one peer.",
      default: 1,
      min: 1,
      aliases: ["fastSyncMinPeers"],
      noEffect: (count) =>
        count === 1 ? undefined : "a full synchronization starts with one peer",
    }),
  },
  setup({ log, health, onStart }) {
    let sync: FullSync | undefined;
    health.check("sync", () => sync?.health() ?? { status: "up" });
    onStart((runtime) => {
      const { tasks, network, peers } = runtime;
      if (!network.isEnabled) return;
      log.info("Starting full sync.");
      const started = new FullSync(runtime, peers);
      sync = started;
      tasks.run("synchronization", (signal) => started.run(signal));
    });
  },
});
