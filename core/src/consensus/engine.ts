import type { Block, SealedBlock } from "../blocks/block.js";
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

/** What somebody is paid for a block, or for an uncle that a block names. */
export interface BlockReward {
  readonly kind: "block" | "uncle";
  readonly beneficiary: Address;
  readonly amount: bigint;
}

/** A header with the difficulty of the whole chain up to it. */
export interface WeighedHeader {
  readonly header: SealedHeader;
  readonly totalDifficulty: bigint;
}

/** Which rule set holds at which block. */
export interface ForkRules {
  /** The forks that the genesis file names, in the order of the rule sets. */
  readonly activations: readonly {
    readonly fork: Fork;
    readonly by: "block" | "time";
    readonly value: bigint;
  }[];
  at(point: Pick<Header, "number" | "timestamp">): Fork;
  isActive(fork: Fork, point: Pick<Header, "number" | "timestamp">): boolean;
}

/** The known blocks, on whatever branch they stand. */
export interface ChainReader {
  findHeader(hash: Hash): SealedHeader | undefined;
  findBlock(hash: Hash): SealedBlock | undefined;
  /** The sum of the difficulties from genesis to a block. */
  findTotalDifficulty(hash: Hash): bigint | undefined;
}

/** Whether a block that is there stays there, or may be replaced by a better branch. */
export type Finality = "eventual" | "instant";

/** The rules that a network agrees by; only the engine knows the hash of a block. */
export interface ConsensusEngine {
  readonly finality: Finality;
  /** Block 0 is of the time when the chain was begun, whatever the genesis file says. */
  readonly beginsNow?: boolean;
  /** Pure and cheap: it is asked for every header that enters the node. */
  hashHeader(header: Header): Hash;
  /** Who made the block. */
  author(header: Header): Address;
  /** Who gets the fees. */
  feeRecipient(header: Header): Address;
  /** When a block on this parent would be; now, and later than the parent, when left out. */
  nextTimestamp?(parent: SealedHeader, clock: Pick<Clock, "now">): bigint | undefined;
  /** How long after its parent the next block is meant to be; nothing is meant when left out. */
  readonly periodMs?: ((parent: SealedHeader) => number | undefined) | undefined;
  /** May the base fee of a header from elsewhere be any? It may not when left out. */
  takesAnyBaseFee?(header: Header): boolean;
  /** Throws `InvalidBlock` when the header breaks a rule of the engine; those of every chain hold already. */
  verifyHeader(
    header: SealedHeader,
    parent: SealedHeader,
    chain: ChainReader,
  ): void | Promise<void>;
  /** The same for a block whose header is right and commits to its body. */
  verifyBlock?(block: SealedBlock, parent: SealedHeader, chain: ChainReader): void | Promise<void>;
  /** Fills in what the engine decides about a header that is being made. */
  prepareHeader(draft: Header, parent: SealedHeader): Header;
  /** Changes the state after the last transaction, deterministically: rewards, withdrawals. */
  finalize?(finalization: Finalization): void;
  /** What is paid at the end of a block, beside fees: for the block itself first, then for each uncle; nothing when left out. */
  rewards?(block: Block, fork: Fork): readonly BlockReward[];
  /** What the maker of a block is paid, beside fees and what it gets for uncles; nothing when left out. */
  blockReward?(header: Header, fork: Fork): bigint;
  /** How many hashes it tries in a second, lately; only engines that search for one have it. */
  hashRate?(): bigint;
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

/** A block that was executed here, and is neither sealed nor kept. */
export interface BuiltBlock {
  readonly block: Block;
}

/** What an engine makes blocks with. The host owns time, building and stopping. */
export interface ProducerHost {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly chain: ChainReader;
  head(): SealedHeader;
  /** Whether a transaction waits that the next block could take. */
  hasTransactions(): boolean;
  /** Fills a block on the head with transactions. */
  build(order: BlockOrder): Promise<BuiltBlock>;
  /** Looks at a block that another proposes and runs it, but for the engine's own rules; rejects with `InvalidBlock`. */
  execute(block: Block): Promise<BuiltBlock>;
  /** Commits a built block as it was executed, with the seal that the engine gave its header. */
  submit(built: BuiltBlock, sealed?: Header): Promise<SealedHeader>;
}

/** What the operator says about making blocks. */
export interface Mining {
  readonly isEnabled: boolean;
  /** Who is paid for them. */
  readonly coinbase: Address | undefined;
}

/** What an engine is made with. */
export interface EngineContext<S> {
  readonly settings: S;
  readonly forks: ForkRules;
  readonly clock: Clock;
  readonly mining: Mining;
}

/** Ties an engine to its key under `config` of the genesis file. */
export interface EngineDefinition<S> {
  readonly key: string;
  /** What stands under the key; names in it are lower case here, however the file writes them. */
  readonly settings: Codec<S>;
  /** The first block that is the engine's; block 0 when left out. */
  startBlock?(settings: S): bigint;
  /** Of two engines for one block, the one with the lower number has it; 100 when left out. */
  readonly precedence?: number;
  /** Serves files that name no engine. Such a chain is followed, and this node makes no blocks for it. */
  readonly isDefault?: boolean;
  /** The merge comes with the first fork at a time, where the file has no terminal total difficulty. */
  readonly mergesByTime?: boolean;
  /** Takes over at the merge, whichever engine was there before; no file names it. */
  readonly followsMerge?: boolean;
  /** Makes blocks only where the operator asks for it. */
  readonly minesOnRequest?: boolean;
  /** Nobody minds when its chain is begun anew: `--fresh` may remove the data. */
  readonly isDisposable?: boolean;
  create(context: EngineContext<S>): ConsensusEngine;
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
