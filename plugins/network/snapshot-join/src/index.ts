import { definePlugin, toHex } from "@plinth/core";
import { chainJoins, checkOldBlocks } from "@plinth/core/chain";
import { openSource } from "@plinth/kit-snapshot";
import { OldBlocks } from "./old-blocks.js";
import { options } from "./options.js";
import { SnapshotJoin } from "./snapshot-join.js";

export default definePlugin({
  name: "snapshot-join",
  activation: {},
  options,
  setup({ config, contribute, health, log, onStart }) {
    if (config.snapshot.length === 0) return;
    const sources = config.snapshot.map(openSource);
    const { snapshotBlockHash: hash, trustedValidators } = config;
    const blockHash = hash && toHex(hash);
    contribute(
      chainJoins,
      new SnapshotJoin({ sources, blockHash, trustedValidators, log, clock: Date }),
    );
    health.check("old-blocks", ({ chain }) => checkOldBlocks(chain.blocks));
    onStart((runtime) => {
      if (!runtime.chain.writer.keepsOlder) return;
      const started = new OldBlocks(runtime);
      runtime.tasks.run("old blocks", (signal) => started.run(sources, signal));
    });
  },
});
