import { definePlugin, option } from "@plinth/core";
import { offloads } from "@plinth/core/query";
import { ThreadOffload } from "./thread-offload.js";

export default definePlugin({
  name: "query-threads",
  options: {
    rpcWorkerThreads: option.integer({
      summary:
        "Threads for calls and traces; by default one less than processors, from 2 to 4; 0 for none.",
      min: 0,
      max: 64,
    }),
  },
  setup({ config, contribute }) {
    contribute(offloads, () => new ThreadOffload(config.rpcWorkerThreads));
  },
});
