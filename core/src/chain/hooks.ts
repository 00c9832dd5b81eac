import type { SealedBlock } from "../blocks/block.js";
import type { SealedHeader } from "../blocks/header.js";
import type { HookFactory } from "../kernel/hooks.js";

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
    headChanged: hook.observe<HeadChanged>("chain.headChanged", {
      since: "0.1.0",
      summary:
        "The canonical chain moved; `removed` is empty unless it was a reorganisation. The batch is on disk.",
    }),
  };
}
