import { join } from "node:path";
import { definePlugin, option } from "@plinth/core";
import { restorePool, savePool } from "./saved-pool.js";

export default definePlugin({
  name: "pool-file",
  options: {
    txPoolEnableSaveRestore: option.flag({
      summary:
        "Writes the pool to a file when the node stops and reads that file when it starts; the database stores the pool in any case.",
    }),
    txPoolSaveFile: option.path({
      summary: "That file; by default txpool.dump in the data folder.",
      needs: "txPoolEnableSaveRestore",
    }),
  },
  setup({ config, onStart, onStop }) {
    if (!config.txPoolEnableSaveRestore) return;
    let save = async () => {};
    onStart(async ({ pool, dataPath, log }) => {
      const path = config.txPoolSaveFile ?? join(dataPath, "txpool.dump");
      await restorePool(path, pool, log);
      save = () => savePool(path, pool.entries());
    });
    onStop(() => save());
  },
});
