import {
  type Blockchain,
  type BlockId,
  type Call,
  RpcError,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";

/** The blocks of the chain; a node without an EVM has none to show. */
export function blocksOf({ chain }: Pick<Call, "chain">): Blockchain {
  if (chain.blocks !== undefined) return chain.blocks;
  throw RpcError.methodNotEnabled("this node has no EVM and therefore no blocks");
}

/** The header that a caller names; `undefined` when there is none. */
export function findHeader(blocks: Blockchain, id: BlockId): SealedHeader | undefined {
  switch (id) {
    case "latest":
    case "pending":
    case "safe":
    case "finalized":
      return blocks.head();
    case "earliest":
      return blocks.findHeader(0n);
    default:
      return blocks.findHeader(id);
  }
}

/** The block that a caller names; `undefined` when there is none. */
export function findBlock(blocks: Blockchain, id: BlockId): SealedBlock | undefined {
  const header = findHeader(blocks, id);
  return header === undefined ? undefined : blocks.findBlock(header.hash);
}

/** The header that a caller names; an error when there is none. */
export function getHeader(blocks: Blockchain, id: BlockId): SealedHeader {
  const header = findHeader(blocks, id);
  if (header === undefined) throw new RpcError(-32000, "Block not found");
  return header;
}
