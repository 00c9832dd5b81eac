import { definePlugin } from "@plinth/core";
import { options } from "./options.js";
import { serveSnapshots } from "./serve.js";

export default definePlugin({
  name: "snapshot-serve",
  options,
  setup(node) {
    if (node.config.snapshotServeEnabled) serveSnapshots(node, node.config);
  },
});
