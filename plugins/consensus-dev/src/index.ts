import { defineEngine, definePlugin, option, t } from "@plinth/core";
import { DevEngine } from "./engine.js";

export default definePlugin({
  name: "consensus-dev",
  options: {
    devPeriodSeconds: option.integer({
      summary:
        "Makes a block every so many seconds; as soon as a transaction arrives when left out.",
      min: 1,
    }),
  },
  setup(node) {
    const { devPeriodSeconds } = node.config;
    const create = () => new DevEngine(devPeriodSeconds);
    node.consensus.engine(defineEngine({ key: "dev", settings: t.object({}), create }));
  },
});
