import { type Codec, t } from "@plinth/core";
import type { SyncProgress } from "@plinth/core/network";

const blocks = t.object({
  startingBlock: t.quantity,
  currentBlock: t.quantity,
  highestBlock: t.quantity,
});

/** How far a node is behind its peers: three block numbers, or false if it is not. */
export const syncState: Codec<SyncProgress | undefined> = {
  decode(json, path, reading) {
    if (json === false) return undefined;
    const { startingBlock, currentBlock, highestBlock } = blocks.decode(json, path, reading);
    return {
      starting: startingBlock,
      current: currentBlock,
      highest: highestBlock,
      syncing: true,
    };
  },
  encode(progress) {
    if (progress?.syncing !== true) return false;
    const { starting, current, highest } = progress;
    return blocks.encode({
      startingBlock: starting,
      currentBlock: current,
      highestBlock: highest,
    });
  },
  schema: { oneOf: [{ type: "boolean", enum: [false] }, blocks.schema] },
};
