import { defineEngine, definePlugin, t } from "@plinth/core";
import { StakeEngine } from "./engine.js";

export default definePlugin({
  name: "consensus-pos",
  setup({ consensus }) {
    consensus.engine(
      defineEngine({
        key: "pos",
        settings: t.object({}),
        followsMerge: true,
        create: () => new StakeEngine(),
      }),
    );
  },
});
