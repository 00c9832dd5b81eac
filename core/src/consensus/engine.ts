import type { Block } from "../blocks/block.js";
import type { Header, SealedHeader } from "../blocks/header.js";
import type { Codec } from "../codec/codec.js";
import type { Fork } from "../evm/fork.js";
import type { WorldState } from "../evm/world-state.js";
import type { Clock } from "../kernel/clock.js";
import { defineContributionPoint } from "../kernel/contributions.js";
import type { Address, Hash } from "../primitives/hex.js";

/** A block that has run but for what the engine does at its end. */
export interface Finalization {
  readonly block: Block;
  readonly fork: Fork;
  readonly state: WorldState;
}

/** A header with the difficulty of the whole chain up to it. */
export interface WeighedHeader {
  readonly header: SealedHeader;
  readonly totalDifficulty: bigint;
}

/** The rules that a network agrees by; only the engine knows the hash of a block. */
export interface ConsensusEngine {
  /** Pure and cheap: it is asked for every header that enters the node. */
  hashHeader(header: Header): Hash;
  /** Who made the block. */
  author(header: Header): Address;
  /** Who gets the fees. */
  feeRecipient(header: Header): Address;
  /** Throws `InvalidBlock` when the header breaks a rule. */
  verifyHeader(header: SealedHeader, parent: SealedHeader): void | Promise<void>;
  /** When a block on this parent would be; now, and later than the parent, when left out. */
  nextTimestamp?(parent: SealedHeader, clock: Pick<Clock, "now">): bigint;
  /** Fills in what the engine decides about a header that is being made. */
  prepareHeader(draft: Header, parent: SealedHeader): Header;
  /** Changes the state after the last transaction, deterministically: rewards, withdrawals. */
  finalize?(finalization: Finalization): void;
  /** Is the candidate the better head? A strict order; the heavier chain when left out. */
  prefers?(candidate: WeighedHeader, head: WeighedHeader): boolean;
  /** Makes blocks until the signal aborts; an engine without it makes none. */
  produce?(host: ProducerHost): Promise<void>;
}

/** What an engine wants of a block that is built for it. */
export interface BlockOrder {
  readonly timestamp: bigint;
  readonly extraData?: Uint8Array;
  /** Leaves the pool's transactions where they are. */
  readonly isEmpty?: boolean;
}

/** A block that was built and executed but not sealed. */
export interface BuiltBlock {
  readonly block: Block;
}

/** What an engine makes blocks with. The host owns time, building and stopping. */
export interface ProducerHost {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  head(): SealedHeader;
  /** Whether a transaction waits that the next block could take. */
  hasTransactions(): boolean;
  /** Fills a block on the head with transactions. */
  build(order: BlockOrder): Promise<BuiltBlock>;
  /** Commits a built block as it was executed, with the header the engine sealed. */
  submit(built: BuiltBlock): Promise<SealedHeader>;
}

/** Ties an engine to its key under `config` of the genesis file. */
export interface EngineDefinition<S> {
  readonly key: string;
  /** What stands under the key. */
  readonly settings: Codec<S>;
  /** Nobody minds when its chain is begun anew: `--fresh` may remove the data. */
  readonly isDisposable?: boolean;
  /** Whether block 0 is of the time when the chain was begun, whatever the genesis file says. */
  beginsNow?(settings: S): boolean;
  create(context: { readonly settings: S }): ConsensusEngine;
}

/** Declares an engine. */
export function defineEngine<S>(definition: EngineDefinition<S>): EngineDefinition<S> {
  return definition;
}

/** Where consensus plugins put their engines. */
export const engines = defineContributionPoint<EngineDefinition<unknown>>("consensus.engine", {
  summary: "The rules that a network agrees by.",
  key: { label: "engine", of: ({ key }) => key },
});
