import {
  type BlockId,
  type BlockReader,
  type Header,
  type QueryCall,
  RpcError,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import { type ReplayedState, unlessPruned } from "@plinth/core/chain";
import type { CanonicalHash } from "@plinth/core/codec";
import { differencesOf } from "./differences.js";
import { toRpcError } from "./failure.js";

const INVALID_BLOCK = "Invalid block, unable to parse RLP";

/**
 * The header a caller specifies; `undefined` if it does not exist, an error if no block is final.
 */
export function findHeader(blocks: BlockReader, id: BlockId): SealedHeader | undefined {
  switch (id) {
    case "latest":
    case "pending":
      return blocks.head();
    case "safe":
    case "finalized":
      return getFinalized(blocks);
    case "earliest":
      return blocks.findHeader(0n);
    default:
      if (typeof id === "object") return findCanonical(blocks, id);
      // No block has a number below zero.
      return typeof id === "bigint" && id < 0n ? undefined : blocks.findHeader(id);
  }
}

/** The block a caller specifies; `undefined` if it does not exist. */
export function findBlock(blocks: BlockReader, id: BlockId): SealedBlock | undefined {
  const header = findHeader(blocks, id);
  return header === undefined ? undefined : blocks.findBlock(header.hash);
}

/**
 * The block a caller specifies; `undefined` if it does not exist, or if its body is no longer kept and
 * the mode has no error for it.
 */
export function findKeptBlock(
  { chain: { blocks }, compatibility }: Pick<QueryCall, "chain" | "compatibility">,
  id: BlockId,
): SealedBlock | undefined {
  const find = () => findBlock(blocks, id);
  return differencesOf(compatibility).hidesPrunedBlocks ? unlessPruned(find) : find();
}

/**
 * The header of the block whose state a caller requests: by default the head, unless it must be
 * specified.
 */
export function getStateHeader(
  call: Pick<QueryCall, "chain" | "compatibility">,
  id: BlockId | undefined,
): SealedHeader {
  if (id === undefined && differencesOf(call.compatibility).requiresBlock) {
    throw RpcError.invalidParams(INVALID_BLOCK);
  }
  return getHeader(call.chain.blocks, id ?? "latest");
}

/** Makes the tries of a block or of a replayed state ready for a caller, within the time of a call. */
export async function prepareTries(
  call: Pick<QueryCall, "chain" | "compatibility">,
  of: Header | ReplayedState,
): Promise<Disposable> {
  try {
    return await call.chain.blocks.prepareTries(of);
  } catch (error) {
    throw toRpcError(error, { compatibility: call.compatibility, isDetailed: false });
  }
}

/** The header a caller specifies; an error if it does not exist. */
export function getHeader(blocks: BlockReader, id: BlockId): SealedHeader {
  const header = findHeader(blocks, id);
  if (header === undefined) throw new RpcError(-32000, "Block not found");
  return header;
}

/** A known block that was replaced is not the one the caller expects. */
function findCanonical(
  blocks: BlockReader,
  { canonical }: CanonicalHash,
): SealedHeader | undefined {
  const header = blocks.findHeader(canonical);
  const isCanonical = header && blocks.findHeader(header.number)?.hash === canonical;
  if (isCanonical === false) throw new RpcError(-32000, "Invalid input");
  return header;
}

function getFinalized(blocks: BlockReader): SealedHeader {
  const header = blocks.finalized();
  if (header === undefined) throw new RpcError(-39001, "Unknown block");
  return header;
}
