import { definePlugin, optional } from "@plinth/core";
import { chainJoins } from "@plinth/core/chain";
import { ethPeers } from "@plinth/plugin-protocol-eth/api";
import { OldBlocks } from "./old-blocks.js";
import { options } from "./options.js";
import { readOtherOptions } from "./other-options.js";
import { SnapJoin } from "./snap-join.js";

export default definePlugin({
  name: "sync-snap",
  activation: {},
  dependencies: { peers: optional(ethPeers) },
  options,
  setup({ config, contribute, health, hooks, log, onStart }) {
    const { syncMode: mode, syncMinPeers: minPeers } = config;
    if (mode !== "SNAP" && mode !== "CHECKPOINT") return;
    let join: SnapJoin | undefined;
    let old: OldBlocks | undefined;
    hooks.lifecycle.registered.tap(({ optionValue }) => {
      join = new SnapJoin({ mode, minPeers, ...readOtherOptions(mode, optionValue), log });
      contribute(chainJoins, join);
    });
    health.check("old-blocks", () => old?.health() ?? { status: "up" });
    onStart((runtime) => {
      if (join?.hasJoined !== true || runtime.peers === undefined) return;
      const started = new OldBlocks(runtime, runtime.peers);
      old = started;
      runtime.tasks.run("old blocks", (signal) => started.run(signal));
    });
  },
});
