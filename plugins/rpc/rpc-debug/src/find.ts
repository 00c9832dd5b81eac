import {
  type BlockId,
  type BlockReader,
  RpcError,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import { findBlock, getHeader } from "@plinth/kit-rpc";

/** The block that a caller names; throws if it does not exist. */
export function getBlock(blocks: BlockReader, id: BlockId): SealedBlock {
  const block = findBlock(blocks, id);
  if (block === undefined) throw blockNotFound();
  return block;
}

/** The header of the block that becomes the new head; throws if it does not exist. */
export function getTarget(blocks: BlockReader, id: BlockId): SealedHeader {
  try {
    return getHeader(blocks, id);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new RpcError(-39001, "Unknown block");
  }
}

/** The error for a missing block. */
export function blockNotFound(): RpcError {
  return new RpcError(-32000, "Block not found");
}

/** The error for a block whose state is not kept. */
export function stateUnavailable(): RpcError {
  return new RpcError(-32000, "World state unavailable");
}
