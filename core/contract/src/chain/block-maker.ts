import type { Block } from "../blocks/block.js";
import type { SealedHeader } from "../blocks/header.js";
import type { Transaction } from "../blocks/transaction.js";
import type { Address } from "../primitives/hex.js";
import type { ImportResult } from "./import-result.js";

/** What a block is made of. */
export interface OrderedBlock {
  readonly parent: SealedHeader;
  readonly timestamp: bigint;
  readonly candidates: readonly Transaction[];
  /** The engine's extra data; empty by default. */
  readonly extraData?: Uint8Array;
  /** Overrides the engine's fee recipient. */
  readonly coinbase?: Address;
}

/** A block that was executed here; only the chain that made it can add it. */
export interface MadeBlock {
  readonly block: Block;
}

/** Makes blocks to order, for commands: running nodes leave that to their engine. */
export interface BlockMaker {
  /** Builds a block with the candidates that fit and run. */
  build(order: OrderedBlock): Promise<MadeBlock>;
  /** Adds a block that was built here, as it was executed. */
  submit(built: MadeBlock): Promise<ImportResult>;
}
