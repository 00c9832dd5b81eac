import { type Codec, t } from "@plinth/core";
import type { SyncProgress } from "@plinth/core/network";

const blocks = t.object({
  startingBlock: t.quantity,
  currentBlock: t.quantity,
  highestBlock: t.quantity,
  missingBlocks: t.optional(t.quantity),
});

/** How far a node is behind its peers, and how many old blocks are missing; false if it has all of them. */
export const syncState: Codec<SyncProgress | undefined> = {
  decode(json, path, reading) {
    if (json === false) return undefined;
    const { startingBlock, currentBlock, highestBlock, missingBlocks } = blocks.decode(
      json,
      path,
      reading,
    );
    return {
      starting: startingBlock,
      current: currentBlock,
      highest: highestBlock,
      syncing: true,
      ...(missingBlocks !== undefined && { missing: missingBlocks }),
    };
  },
  encode(progress) {
    if (progress === undefined) return false;
    const { starting, current, highest, syncing, missing = 0n } = progress;
    if (!syncing && missing === 0n) return false;
    return blocks.encode({
      startingBlock: starting,
      currentBlock: current,
      highestBlock: highest,
      missingBlocks: missing === 0n ? undefined : missing,
    });
  },
  schema: { oneOf: [{ type: "boolean", enum: [false] }, blocks.schema] },
};
