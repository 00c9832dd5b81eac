import { definePlugin, option } from "@plinth/core";
import { registerLogIndex } from "./postings/register.js";
import { registerBloomCache } from "./register.js";

export default definePlugin({
  name: "log-index",
  options: {
    autoLogBloomCachingEnabled: option.boolean({
      summary: "Keeps blooms of blocks in files, for faster log searches.",
      default: true,
    }),
    logIndexEnabled: option.flag({
      summary:
        "Keeps an index of logs by address and topic: the cost of a search depends on its results instead of its range, for about a dozen bytes of disk per address and topic of a block.",
    }),
  },
  setup(node) {
    registerBloomCache(node, { isAutomatic: node.config.autoLogBloomCachingEnabled });
    registerLogIndex(node, { isEnabled: node.config.logIndexEnabled });
  },
});
