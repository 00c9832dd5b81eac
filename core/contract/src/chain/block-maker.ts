import type { Block } from "../blocks/block.js";
import type { SealedHeader } from "../blocks/header.js";
import type { Transaction } from "../blocks/transaction.js";
import type { Address } from "../primitives/hex.js";
import type { ImportResult } from "./import-result.js";

/** The inputs of a block to build. */
export interface OrderedBlock {
  readonly parent: SealedHeader;
  readonly timestamp: bigint;
  readonly candidates: readonly Transaction[];
  /** The engine's extra data; empty by default. */
  readonly extraData?: Uint8Array;
  /** Overrides the engine's fee recipient. */
  readonly coinbase?: Address;
}

/** A block executed by this node; only the chain that built it can add it. */
export interface MadeBlock {
  readonly block: Block;
}

/** Builds blocks on request, for commands: running nodes leave that to their engine. */
export interface BlockMaker {
  /** Builds a block with the candidates that fit and execute. */
  build(order: OrderedBlock): Promise<MadeBlock>;
  /** Adds a block built here, without executing it again. */
  submit(built: MadeBlock): Promise<ImportResult>;
}
