import type { Block, SealedBlock } from "../blocks/block.js";
import type { Header, SealedHeader } from "../blocks/header.js";
import type { Codec } from "../codec/codec.js";
import type { EvmResult, Message, RunContext } from "../evm/evm.js";
import type { Fork } from "../evm/fork.js";
import type { StateReader, WorldState } from "../evm/world-state.js";
import type { Clock } from "../kernel/clock.js";
import { defineContributionPoint } from "../kernel/contributions.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { Signature } from "../primitives/secp256k1/secp256k1.js";
import type { ForkPoint, ForkRules } from "./fork-rules.js";
import type { GenesisFacts, GenesisFinding } from "./genesis-check.js";

/** A block that has run but for what the engine does at its end. */
export interface Finalization {
  readonly block: Block;
  readonly fork: Fork;
  readonly state: WorldState;
}

/** What an account is paid for a block, or for an uncle that a block includes. */
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

/** The known blocks, on whatever branch they stand. */
export interface ChainReader {
  findHeader(hash: Hash): SealedHeader | undefined;
  findBlock(hash: Hash): SealedBlock | undefined;
  /** The sum of the difficulties from genesis to a block. */
  findTotalDifficulty(hash: Hash): bigint | undefined;
}

/** The chain as an engine reads it; every method throws until the node is open. */
export interface EngineChain extends ChainReader {
  head(): SealedHeader;
  genesis(): SealedHeader;
  /** The canonical header of a number. */
  findCanonicalHeader(number: bigint): SealedHeader | undefined;
  /** The state after a block. */
  stateAt(header: Header): StateReader;
  /** Runs a message on the state after a block; nothing of it is kept. It may take as long as its gas allows. */
  call(
    message: Message,
    header: Header,
    limits?: Pick<RunContext, "maxMs" | "yields">,
  ): Promise<EvmResult>;
}

/** The key that this node signs blocks and consensus messages with. */
export interface EngineKey {
  readonly address: Address;
  sign(hash: Hash): Promise<Signature>;
}

/** Header fields that a fork introduces. */
export type ForkField =
  | "withdrawalsRoot"
  | "blobGasUsed"
  | "excessBlobGas"
  | "parentBeaconBlockRoot"
  | "requestsHash";

/** Whether a block after the fork must, may or must not have a field. */
export type FieldPresence = "required" | "optional" | "absent";

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
  /** The same while no transaction waits, where that is longer; as ever when left out. */
  emptyPeriodMs?(parent: SealedHeader): number | undefined;
  /** Whether the block on this parent is made although no transaction waits; it is when left out. */
  makesEmptyBlocks?(parent: SealedHeader): boolean;
  /** May the base fee of a header from elsewhere be any? It may not when left out. */
  takesAnyBaseFee?(header: Header): boolean;
  /** The most gas of a transaction in such a block, 0 for any; that of the fork when `undefined` or left out. */
  maxTransactionGas?(point: ForkPoint): bigint | undefined;
  /** May its gas limit be any distance from the parent's? It may not when left out. */
  takesAnyGasLimit?(header: Header): boolean;
  /** Throws `InvalidBlock` when the header breaks a rule of the engine; those of every chain hold already. */
  verifyHeader(
    header: SealedHeader,
    parent: SealedHeader,
    chain: ChainReader,
  ): void | Promise<void>;
  /** The same for a block whose header is right and commits to its body. */
  verifyBlock?(block: SealedBlock, parent: SealedHeader, chain: ChainReader): void | Promise<void>;
  /** Whether blocks of this engine have a field once its fork is active; `required` when left out. */
  forkField?(field: ForkField, header: Header): FieldPresence;
  /** Fills in the fields of a draft header that the engine decides. */
  prepareHeader(draft: Header, parent: SealedHeader, chain: ChainReader): Header | Promise<Header>;
  /** Changes the state after the last transaction, deterministically: rewards, withdrawals. */
  finalize?(finalization: Finalization): void;
  /** What is paid at the end of a block, beside fees: for the block itself first, then for each uncle; nothing when left out. */
  rewards?(block: Block, fork: Fork): readonly BlockReward[];
  /** What the maker of a block is paid, beside fees and what it gets for uncles; nothing when left out. */
  blockReward?(header: Header, fork: Fork): bigint;
  /**
   * Is the candidate the better head? A strict order; the heavier chain when left out.
   *
   * Throws `InvalidBlock` when it would take final blocks from the chain.
   */
  prefers?(candidate: WeighedHeader, head: WeighedHeader): boolean;
  /** Makes blocks until the signal aborts; an engine without it makes none. */
  produce?(host: ProducerHost): Promise<void>;
}

/** What an engine requires of a block that is built for it. */
export interface BlockOrder {
  readonly timestamp: bigint;
  /** The block to build on; the head when left out. */
  readonly parent?: SealedHeader;
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
  /**
   * Yields the head, then every later one, until production ends or the signal aborts.
   *
   * Of heads that come while the engine is busy it gets the last.
   */
  heads(signal?: AbortSignal): AsyncIterable<SealedHeader>;
  /** Signs with the key of the node; rejects when it has none. */
  sign(hash: Hash): Promise<Signature>;
  /** Whether a transaction waits that the next block could take. */
  hasTransactions(): boolean;
  /** Builds a block and fills it with transactions. */
  build(order: BlockOrder): Promise<BuiltBlock>;
  /** Validates and executes a proposed block, except for the engine's own rules; rejects with `InvalidBlock`. */
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

/** What an engine is created with. */
export interface EngineContext<S, T = never> {
  readonly settings: S;
  /** The entries under `config.transitions` of the genesis file, in the order of their blocks. */
  readonly transitions: readonly T[];
  /** The first block that the file gives to another engine after this one; `undefined` where there is none. */
  readonly endBlock?: bigint | undefined;
  readonly forks: ForkRules;
  readonly clock: Clock;
  readonly mining: Mining;
  /** The node key; `undefined` without a key driver, in commands and on worker threads. */
  readonly key: EngineKey | undefined;
  readonly chain: EngineChain;
}

/** What an engine checks a genesis file by. */
export interface EngineCheckContext<S, T = never>
  extends Pick<EngineContext<S, T>, "settings" | "transitions" | "endBlock"> {
  readonly facts: GenesisFacts;
}

/** Ties an engine to its key under `config` of the genesis file. */
export interface EngineDefinition<S, T extends { readonly block: number } = never> {
  readonly key: string;
  /** What stands under the key. Names are matched without regard to case, at every depth. */
  readonly settings: Codec<S>;
  /** An entry of `config.transitions.<key>`; files with such entries are refused when left out. */
  readonly transition?: Codec<T>;
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
  /** Disposable: `--fresh` may delete its data. */
  readonly isDisposable?: boolean;
  /** What is wrong with a genesis file that names the engine; errors keep the node from starting. */
  check?(context: EngineCheckContext<S, T>): readonly GenesisFinding[];
  create(context: EngineContext<S, T>): ConsensusEngine;
}

/** Any engine, whatever its settings are. */
export type AnyEngine = EngineDefinition<unknown, { readonly block: number }>;

/** Declares an engine. */
export function defineEngine<S, T extends { readonly block: number } = never>(
  definition: EngineDefinition<S, T>,
): EngineDefinition<S, T> {
  return definition;
}

/** Where consensus plugins put their engines. */
export const engines = defineContributionPoint<AnyEngine>("consensus.engine", {
  summary: "The rules that a network agrees by.",
  key: { label: "engine", of: ({ key }) => key },
});
