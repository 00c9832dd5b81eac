import type { Block } from "../blocks/block.js";
import type { SealedHeader } from "../blocks/header.js";
import type { Hash } from "../primitives/hex.js";
import type { ImportResult, QueuePlace } from "./import-result.js";

/** What changes a chain: few plugins need it. */
export interface BlockWriter {
  /** Imports a block from elsewhere, after those of its origin that came before it. */
  import(block: Block, place: QueuePlace): Promise<ImportResult>;
  /** Verifies a header whose parent is known, without a look at its body; rejects with `InvalidBlock`. */
  verifyHeader(header: SealedHeader): Promise<void>;
  /** Makes a known block the head; the blocks after it stay known, their transactions do not return to the pool. */
  setHead(hash: Hash): Promise<ImportResult>;
  /** Runs a known block again; throws `InvalidBlock` unless it leads to what its header says. */
  rerun(hash: Hash): Promise<void>;
  /**
   * Forgets which blocks were bad, re-executes the whole chain and rewrites every state; yields after
   * each block.
   */
  rebuildStates(): AsyncGenerator<SealedHeader, undefined>;
}
