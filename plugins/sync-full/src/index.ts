import { definePlugin } from "@plinth/core";
import { ethPeers } from "@plinth/plugin-protocol-eth/api";
import { FullSync } from "./full-sync.js";

export default definePlugin({
  name: "sync-full",
  dependencies: { peers: ethPeers },
  setup(node) {
    node.onStart((runtime) => {
      const { tasks, network, peers } = runtime;
      if (!network.isEnabled) return;
      tasks.run("synchronization", (signal) => new FullSync(runtime, peers).run(signal));
    });
  },
});
