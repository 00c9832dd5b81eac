import {
  type BlockId,
  type BlockReader,
  RpcError,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import { findBlock, getHeader } from "@plinth/kit-rpc";

/** The block that a caller names; an error when there is none. */
export function getBlock(blocks: BlockReader, id: BlockId): SealedBlock {
  const block = findBlock(blocks, id);
  if (block === undefined) throw blockNotFound();
  return block;
}

/** The header of a block to which the head is to move; an error when there is none. */
export function getTarget(blocks: BlockReader, id: BlockId): SealedHeader {
  try {
    return getHeader(blocks, id);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new RpcError(-39001, "Unknown block");
  }
}

/** What is answered where a block must be there. */
export function blockNotFound(): RpcError {
  return new RpcError(-32000, "Block not found");
}

/** What is answered where the state of a block is not kept. */
export function stateUnavailable(): RpcError {
  return new RpcError(-32000, "World state unavailable");
}
