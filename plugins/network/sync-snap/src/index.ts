import { definePlugin } from "@plinth/core";
import { chainJoins } from "@plinth/core/chain";
import { options } from "./options.js";
import { readOtherOptions } from "./other-options.js";
import { SnapJoin } from "./snap-join.js";

export default definePlugin({
  name: "sync-snap",
  activation: {},
  options,
  setup({ config, contribute, hooks, log }) {
    const { syncMode: mode, syncMinPeers: minPeers } = config;
    if (mode !== "SNAP" && mode !== "CHECKPOINT") return;
    hooks.lifecycle.registered.tap(({ optionValue }) => {
      contribute(
        chainJoins,
        new SnapJoin({ mode, minPeers, ...readOtherOptions(mode, optionValue), log }),
      );
    });
  },
});
