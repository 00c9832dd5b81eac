import { type BlockNumberOrTag, type BlockReader, type Codec, RpcError, t } from "@plinth/core";

const TEXT = "Invalid block number params";

const block = t.withText(t.blockNumber, TEXT);

/** A block number, decimal in every mode; an empty text means none. */
export const skippableBlock: Codec<BlockNumberOrTag | undefined> = {
  ...t.optional(block),
  decode: (json, path) =>
    json === "" || json === null || json === undefined ? undefined : block.decode(json, path),
};

/** The number of a known block. */
export function getNumber(blocks: BlockReader, block: BlockNumberOrTag): bigint {
  if (block === "earliest") return 0n;
  const head = blocks.head().number;
  if (block === "finalized" || block === "safe") return blocks.finalized()?.number ?? 0n;
  if (typeof block !== "bigint") return head;
  if (block < 0n || block > head) throw RpcError.invalidParams(TEXT);
  return block;
}
