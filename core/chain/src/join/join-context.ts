import type { Block, ConsensusEngine, KeyValueStore, Logger, SealedHeader } from "@plinth/core";
import type { ChainStore } from "../store/chain-store.js";

/** The inputs to join a chain. */
export interface JoinSettings {
  readonly store: KeyValueStore;
  readonly engine: ConsensusEngine;
  /** Block 0, with its hash. */
  readonly genesis: Block & { readonly header: SealedHeader };
  readonly chainId: bigint;
  readonly log: Pick<Logger, "info">;
  readonly signal: AbortSignal;
}

/** What all steps of joining use. */
export interface JoinContext extends JoinSettings {
  readonly chain: ChainStore;
}
