import { definePlugin, option } from "@plinth/core";
import { registerBloomCache } from "./register.js";
import { bloomCache } from "./service.js";

export default definePlugin({
  name: "log-index",
  options: {
    autoLogBloomCachingEnabled: option.boolean({
      summary: "Keeps blooms of blocks in files, for faster searches of logs.",
      default: true,
    }),
  },
  provides: [bloomCache],
  setup(node) {
    registerBloomCache(node, { isAutomatic: node.config.autoLogBloomCachingEnabled });
  },
});
