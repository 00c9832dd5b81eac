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
import type { ProveHeaders } from "./header-proof.js";

/** An executed block, before the engine finalizes it. */
export interface Finalization {
  readonly block: Block;
  readonly fork: Fork;
  readonly state: WorldState;
}

/** The reward of an account for a block, or for an uncle that a block includes. */
export interface BlockReward {
  readonly kind: "block" | "uncle";
  readonly beneficiary: Address;
  readonly amount: bigint;
}

/** A header with its total difficulty. */
export interface WeighedHeader {
  readonly header: SealedHeader;
  readonly totalDifficulty: bigint;
}

/** All known blocks, on any branch. */
export interface ChainReader {
  findHeader(hash: Hash): SealedHeader | undefined;
  findBlock(hash: Hash): SealedBlock | undefined;
  /** The total difficulty up to and including a block. */
  findTotalDifficulty(hash: Hash): bigint | undefined;
}

/** The chain as an engine reads it; every method throws until the node is open. */
export interface EngineChain extends ChainReader {
  head(): SealedHeader;
  genesis(): SealedHeader;
  /** The canonical header with a number. */
  findCanonicalHeader(number: bigint): SealedHeader | undefined;
  /** The state after a block. */
  stateAt(header: Header): StateReader;
  /**
   * Runs a message on the state after a block; its changes are discarded. It may take as long as
   * its gas allows.
   */
  call(
    message: Message,
    header: Header,
    limits?: Pick<RunContext, "maxMs" | "yields">,
  ): Promise<EvmResult>;
}

/** The key this node signs blocks and consensus messages with. */
export interface EngineKey {
  readonly address: Address;
  sign(hash: Hash): Promise<Signature>;
}

/** Header fields introduced by forks. */
export type ForkField =
  | "withdrawalsRoot"
  | "blobGasUsed"
  | "excessBlobGas"
  | "parentBeaconBlockRoot"
  | "requestsHash";

/** Whether a block after the fork must, may or must not have a field. */
export type FieldPresence = "required" | "optional" | "absent";

/** Whether a block on the chain is final at once, or may be replaced by a better branch. */
export type Finality = "eventual" | "instant";

/** The consensus rules of a network; only the engine computes block hashes. */
export interface ConsensusEngine {
  readonly finality: Finality;
  /** Block 0 has the time at which the chain was created, regardless of the genesis file. */
  readonly beginsNow?: boolean;
  /** Pure and cheap: called for every header that enters the node. */
  hashHeader(header: Header): Hash;
  /** The producer of the block. */
  author(header: Header): Address;
  /** The fee recipient. */
  feeRecipient(header: Header): Address;
  /** The timestamp of a block on this parent; by default now, and later than the parent. */
  nextTimestamp?(parent: SealedHeader, clock: Pick<Clock, "now">): bigint | undefined;
  /** The intended interval between the parent and the next block; none by default. */
  readonly periodMs?: ((parent: SealedHeader) => number | undefined) | undefined;
  /** The same while no transaction is pending, if that is longer; no difference by default. */
  emptyPeriodMs?(parent: SealedHeader): number | undefined;
  /** Whether a block on this parent is produced without pending transactions; true by default. */
  makesEmptyBlocks?(parent: SealedHeader): boolean;
  /** Whether a header has no seal, so that any node can make up a block; false by default. */
  lacksSeal?(header: Header): boolean;
  /** Whether the base fee of a received header may have any value; false by default. */
  takesAnyBaseFee?(header: Header): boolean;
  /**
   * Maximum gas of a transaction in such a block, 0 for no limit; that of the fork by default and
   * for `undefined`.
   */
  maxTransactionGas?(point: ForkPoint): bigint | undefined;
  /** Whether its gas limit may differ from the parent's by any amount; false by default. */
  takesAnyGasLimit?(header: Header): boolean;
  /**
   * Throws `InvalidBlock` if the header breaks a rule of the engine; the rules of every chain have
   * been checked.
   */
  verifyHeader(
    header: SealedHeader,
    parent: SealedHeader,
    chain: ChainReader,
  ): void | Promise<void>;
  /** The same for a block whose header is valid and commits to its body. */
  verifyBlock?(block: SealedBlock, parent: SealedHeader, chain: ChainReader): void | Promise<void>;
  /** Whether blocks of this engine have a field once its fork is active; `required` by default. */
  forkField?(field: ForkField, header: Header): FieldPresence;
  /** Sets the fields of a draft header that the engine decides. */
  prepareHeader(draft: Header, parent: SealedHeader, chain: ChainReader): Header | Promise<Header>;
  /** Changes the state after the last transaction, deterministically: rewards, withdrawals. */
  finalize?(finalization: Finalization): void;
  /**
   * The rewards of a block besides fees: for the block itself first, then for each uncle; none by
   * default.
   */
  rewards?(block: Block, fork: Fork): readonly BlockReward[];
  /** The reward of the block producer besides fees and its share for uncles; none by default. */
  blockReward?(header: Header, fork: Fork): bigint;
  /**
   * Whether the candidate is the better head. A strict order; by default the higher total
   * difficulty.
   *
   * Throws `InvalidBlock` if it would remove finalized blocks from the chain.
   */
  prefers?(candidate: WeighedHeader, head: WeighedHeader): boolean;
  /** Proves headers by their seals alone; an engine without it cannot. */
  readonly proveHeaders?: ProveHeaders | undefined;
  /** Produces blocks until the signal aborts; an engine without it produces none. */
  produce?(host: ProducerHost): Promise<void>;
}

/** The requirements of an engine for a block to build. */
export interface BlockOrder {
  readonly timestamp: bigint;
  /** The block to build on; the head by default. */
  readonly parent?: SealedHeader;
  readonly extraData?: Uint8Array;
  /** Takes no transactions from the pool. */
  readonly isEmpty?: boolean;
}

/** A block executed by this node, neither sealed nor stored. */
export interface BuiltBlock {
  readonly block: Block;
}

/** The block production services for an engine. The host owns time, building and stopping. */
export interface ProducerHost {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly chain: ChainReader;
  head(): SealedHeader;
  /**
   * Yields the head, then every later one, until production ends or the signal aborts.
   *
   * If several heads arrive while the engine is busy, it receives only the last.
   */
  heads(signal?: AbortSignal): AsyncIterable<SealedHeader>;
  /** Signs with the node key; rejects if there is none. */
  sign(hash: Hash): Promise<Signature>;
  /** Whether a pending transaction could be included in the next block. */
  hasTransactions(): boolean;
  /** Builds a block and fills it with transactions. */
  build(order: BlockOrder): Promise<BuiltBlock>;
  /**
   * Validates and executes a proposed block, except for the engine's own rules; rejects with
   * `InvalidBlock`.
   */
  execute(block: Block): Promise<BuiltBlock>;
  /**
   * Commits a built block without executing it again, with the seal the engine added to its header.
   */
  submit(built: BuiltBlock, sealed?: Header): Promise<SealedHeader>;
}

/** The operator's settings for block production. */
export interface Mining {
  readonly isEnabled: boolean;
  /** The fee recipient. */
  readonly coinbase: Address | undefined;
}

/** The context an engine is created with. */
export interface EngineContext<S, T = never> {
  readonly settings: S;
  /** The entries under `config.transitions` of the genesis file, in block order. */
  readonly transitions: readonly T[];
  /** The first block of the engine that follows this one; `undefined` if there is none. */
  readonly endBlock?: bigint | undefined;
  readonly forks: ForkRules;
  readonly clock: Clock;
  readonly mining: Mining;
  /** The node key; `undefined` without a key driver, in commands and on worker threads. */
  readonly key: EngineKey | undefined;
  readonly chain: EngineChain;
}

/** The context in which an engine checks a genesis file. */
export interface EngineCheckContext<S, T = never>
  extends Pick<EngineContext<S, T>, "settings" | "transitions" | "endBlock"> {
  readonly facts: GenesisFacts;
}

/** Registers an engine for its key under `config` of the genesis file. */
export interface EngineDefinition<S, T extends { readonly block: number } = never> {
  readonly key: string;
  /** The value of the key. Names are matched case-insensitively, at every depth. */
  readonly settings: Codec<S>;
  /** An entry of `config.transitions.<key>`; by default files with such entries are rejected. */
  readonly transition?: Codec<T>;
  /** The first block of the engine; block 0 by default. */
  startBlock?(settings: S): bigint;
  /** Of two engines for one block, the one with the lower number is used; 100 by default. */
  readonly precedence?: number;
  /**
   * Handles files that name no engine. Such a chain is followed, but this node produces no blocks
   * for it.
   */
  readonly isDefault?: boolean;
  /**
   * If the file has no terminal total difficulty, the merge is the first fork activated by time.
   */
  readonly mergesByTime?: boolean;
  /** Takes over at the merge from any engine; files do not name it. */
  readonly followsMerge?: boolean;
  /** Produces blocks only if the operator requests it. */
  readonly minesOnRequest?: boolean;
  /** Disposable: `--fresh` may delete its data. */
  readonly isDisposable?: boolean;
  /** The problems of a genesis file that names the engine; errors keep the node from starting. */
  check?(context: EngineCheckContext<S, T>): readonly GenesisFinding[];
  create(context: EngineContext<S, T>): ConsensusEngine;
}

/** Any engine, whatever its settings type. */
export type AnyEngine = EngineDefinition<unknown, { readonly block: number }>;

/** Declares an engine. */
export function defineEngine<S, T extends { readonly block: number } = never>(
  definition: EngineDefinition<S, T>,
): EngineDefinition<S, T> {
  return definition;
}

/** The contribution point of consensus engines. */
export const engines = defineContributionPoint<AnyEngine>("consensus.engine", {
  summary: "The consensus rules of a network.",
  key: { label: "engine", of: ({ key }) => key },
});
