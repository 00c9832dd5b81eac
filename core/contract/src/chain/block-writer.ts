import type { Block } from "../blocks/block.js";
import type { SealedHeader } from "../blocks/header.js";
import type { Receipt } from "../blocks/receipt.js";
import type { Hash } from "../primitives/hex.js";
import type { FollowedBlock } from "./followed-block.js";
import type { ImportResult, QueuePlace } from "./import-result.js";
import type { JoinedBlock } from "./join/chain-join.js";
import type { BlockReplay } from "./replay.js";

/** Write access to a chain: few plugins need it. */
export interface BlockWriter {
  /** Imports a block, after the earlier blocks of the same origin. */
  import(block: Block, place: QueuePlace): Promise<ImportResult>;
  /**
   * Adds a replayed block with its state as it is now, and with these receipts, whatever its execution gave: for a chain
   * that follows another node. Rejects with `InvalidBlock` unless the header commits to the body, the state and the
   * receipts. The rules of the engine are not applied.
   */
  adopt(replay: BlockReplay, receipts: readonly Receipt[]): Promise<ImportResult>;
  /**
   * Adds a block that another node executed, with what it reports of it; rejects with `InvalidBlock` unless the header is valid
   * and commits to all of it. No transaction is run, and none of the pool is.
   */
  follow(followed: FollowedBlock): Promise<ImportResult>;
  /**
   * Verifies a header whose parent is known, regardless of its body; rejects with `InvalidBlock`.
   */
  verifyHeader(header: SealedHeader): Promise<void>;
  /**
   * Makes a known block the head; later blocks stay known, their transactions do not return to the
   * pool.
   */
  setHead(hash: Hash): Promise<ImportResult>;
  /** Whether `addOlder` may add blocks: not if the operator keeps recent ones only. */
  readonly keepsOlder: boolean;
  /**
   * Adds the bodies and receipts of the blocks right before the first that is kept, the last one at
   * the end; for a chain that was joined later. Rejects with `JoinRefused` if they are not those of
   * its headers.
   */
  addOlder(blocks: readonly JoinedBlock[]): Promise<void>;
  /** Re-executes a known block; throws `InvalidBlock` unless the result matches its header. */
  rerun(hash: Hash): Promise<void>;
  /**
   * Forgets bad blocks, re-executes the whole chain and rewrites every state; yields after each
   * block. Throws the reason of the signal once it is aborted.
   */
  rebuildStates(signal?: AbortSignal): AsyncGenerator<SealedHeader, undefined>;
}
