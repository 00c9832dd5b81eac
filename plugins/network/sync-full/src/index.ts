import { definePlugin } from "@plinth/core";
import { ethPeers } from "@plinth/plugin-protocol-eth/api";
import { FullSync } from "./full-sync.js";

export default definePlugin({
  name: "sync-full",
  dependencies: { peers: ethPeers },
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
