import { definePlugin, optional } from "@plinth/core";
import { chainJoins, checkOldBlocks } from "@plinth/core/chain";
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
    hooks.lifecycle.registered.tap(({ optionValue }) => {
      join = new SnapJoin({ mode, minPeers, ...readOtherOptions(mode, optionValue), log });
      contribute(chainJoins, join);
    });
    health.check("old-blocks", ({ chain }) =>
      join?.hasJoined === true ? checkOldBlocks(chain.blocks) : { status: "up" },
    );
    onStart((runtime) => {
      const { chain, peers } = runtime;
      if (join?.hasJoined !== true || peers === undefined || !chain.writer.keepsOlder) return;
      const started = new OldBlocks(runtime, peers);
      runtime.tasks.run("old blocks", (signal) => started.run(signal));
    });
  },
});
