import type { SealedBlock } from "../blocks/block.js";
import type { SealedHeader } from "../blocks/header.js";
import type { Receipt } from "../blocks/receipt.js";
import type { EvmResult } from "../evm/evm.js";
import type { HookFactory } from "../kernel/hooks.js";
import type { PluginBatch } from "../storage/plugin-table.js";

/** A batch that adds a block or moves the head: full, but not written. */
export interface CommitEvent {
  /** The block that is added; none when only the head moves. */
  readonly block?: SealedBlock;
  readonly receipts: readonly Receipt[];
  /** How each of its transactions ended. */
  readonly results: readonly EvmResult[];
  readonly placement: "head" | "side";
  /** Blocks that join the canonical chain, the head last. */
  readonly added: readonly SealedBlock[];
  /** Blocks that leave it, the old head first. */
  readonly removed: readonly SealedBlock[];
  /** Takes what plugins keep with the block. */
  readonly batch: PluginBatch;
}

/** The canonical chain moved. */
export interface HeadChanged {
  readonly head: SealedHeader;
  /** Blocks that joined it, the head last. */
  readonly added: readonly SealedBlock[];
  /** Blocks that left it; none unless it was a reorganisation. */
  readonly removed: readonly SealedBlock[];
}

/** Hooks of the chain. */
export function createChainHooks(hook: HookFactory) {
  return {
    commit: hook.check<CommitEvent>("chain.commit", {
      since: "0.1.0",
      summary:
        "A batch that adds a block or moves the head is full and not written: put into it what must be kept with the block.",
    }),
    headChanged: hook.observe<HeadChanged>("chain.headChanged", {
      since: "0.1.0",
      summary:
        "The canonical chain moved; `removed` is empty unless it was a reorganisation. The batch is on disk.",
    }),
  };
}
