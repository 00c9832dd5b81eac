import type { Block, SealedBlock } from "../blocks/block.js";
import type { Header, SealedHeader } from "../blocks/header.js";
import type { Receipt } from "../blocks/receipt.js";
import type { BlockReward, Finality } from "../consensus/engine.js";
import type { ForkPoint } from "../consensus/fork-rules.js";
import type { BareRun, EvmResult, LentEvm, Message, RunContext } from "../evm/evm.js";
import type { Fork } from "../evm/fork.js";
import type { StateReader } from "../evm/world-state.js";
import type { Bloom } from "../primitives/bloom.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { BlobRules } from "../rules/blob-schedule.js";
import type { BadBlock } from "./bad-block.js";
import type { BloomSource } from "./bloom-source.js";
import type { LogIndex } from "./log-index.js";
import type { BlockReplay, ReplayedState } from "./replay.js";
import type { Simulation } from "./simulation.js";
import type { RangedAccount, RangedSlot } from "./state-entries.js";
import type { AccountProof, ProofRequest } from "./state-proof.js";
import type { VerifiedBlock, VerifiedNode } from "./verified-block.js";

/** Where a transaction of the canonical chain stands. */
export interface TransactionPlace {
  readonly blockHash: Hash;
  readonly index: number;
}

/** An account of which slots are read, from one hash on. */
export interface SlotRange {
  readonly address: Address;
  readonly start: Hash;
}

/** What a message runs with beside the values of a block. */
export interface PluginRun extends Omit<RunContext, "block"> {
  readonly header: Header;
  readonly bare?: BareRun;
}

/** What can be read of a chain, by any plugin and on any thread. */
export interface BlockReader {
  /** The last block. */
  head(): SealedHeader;
  /** The last final block; `undefined` where the engine reports none. */
  finalized(): SealedHeader | undefined;
  /** How final blocks are once they are on the chain. */
  readonly finality: Finality;
  /** The block that would come next, as far as it is known: its number, time and base fee, on the state of the head. */
  next(): Promise<SealedHeader>;
  /** A header with the hash that its engine gives it; throws where the engine cannot read it. */
  seal(header: Header): SealedHeader;

  /** A header by its hash, or by its number on the canonical chain. */
  findHeader(id: Hash | bigint): SealedHeader | undefined;
  /** A block by its hash, or by its number on the canonical chain. */
  findBlock(id: Hash | bigint): SealedBlock | undefined;
  /** The receipts of a block, by its hash. */
  findReceipts(hash: Hash): readonly Receipt[] | undefined;
  /** The difficulty of a block and all before it. */
  findTotalDifficulty(hash: Hash): bigint | undefined;
  /** Where a transaction stands on the canonical chain. */
  findTransaction(hash: Hash): TransactionPlace | undefined;
  /** The blocks that were refused last, with the reasons. */
  badBlocks(): readonly BadBlock[];

  /** The bloom of a block of the canonical chain; much cheaper than its header. */
  findBloom(number: bigint): Bloom | undefined;
  /** Where many blooms are read at once; `undefined` when no plugin provides it. */
  readonly blooms: BloomSource | undefined;
  /** Registers a source of blooms; call the returned function to remove it. */
  offerBlooms(source: BloomSource): () => void;
  /** The log index; `undefined` when no plugin provides one. */
  readonly logIndex: LogIndex | undefined;
  /** Registers a log index; call the returned function to remove it. */
  offerLogIndex(source: LogIndex): () => void;

  /** Who gets the fees of a block; of the next one, whom this node would pay. */
  feeRecipientOf(header: Header): Address;
  /** What the maker of a block was paid, beside fees and what it got for uncles. */
  rewardOf(header: Header): bigint;
  /** What was paid at the end of a block: for the block itself first, even where that is nothing, then for each uncle. */
  rewardsOf(block: Block): readonly BlockReward[];

  /** The rules at a point of the chain. */
  forkAt(point: ForkPoint): Fork;
  /** Do the rules of a fork hold at a point of the chain? */
  isActive(fork: Fork, point: ForkPoint): boolean;
  /** The most gas of a transaction at a point of the chain; `undefined` for any. */
  maxTransactionGasAt(point: ForkPoint): bigint | undefined;
  /** How blobs are counted and priced at a point of the chain; `undefined` before blobs. */
  blobRulesAt(point: ForkPoint): BlobRules | undefined;
  /** The base fee of the block after this one; `undefined` where that has none. */
  baseFeeAfter(header: Header): bigint | undefined;
  /** What blob gas costs in a block; `undefined` before blobs. */
  blobFeeAt(header: Header): bigint | undefined;

  /** Whether the state after a block is known. */
  hasState(header: Header): boolean;
  /** The state after a block. */
  stateAt(header: Header): StateReader;
  /** Proves an account and some of its slots under the state root of a block. */
  prove(header: Header, what: Omit<ProofRequest, "root">): AccountProof;
  /** The accounts after a block in the order of their hashes, from one on. */
  accountsFrom(header: Header, start: Hash): Iterable<RangedAccount>;
  /** The same in a state that was replayed. */
  accountsIn(replayed: ReplayedState, start: Hash): Iterable<RangedAccount>;
  /** The slots of an account after a block, in the order of their hashes, from one on. */
  slotsAt(header: Header, from: SlotRange): Iterable<RangedSlot>;
  /** The same in a state that was replayed. */
  slotsIn(replayed: ReplayedState, from: SlotRange): Iterable<RangedSlot>;
  /** The root of a state that was replayed, as it is now. */
  rootOf(replayed: ReplayedState): Hash;
  /** The address or storage slot behind a key of a trie; `undefined` when it never changed here. */
  findPreimage(key: Hash): Address | Hash | undefined;

  /** What simulations run on; nothing of them is kept. */
  readonly simulation: Simulation;
  /**
   * Runs a message on a state that a plugin holds, with the values of a block.
   *
   * The base fee reads as zero, unless the code runs bare: then it is not paid.
   */
  run(message: Message, on: PluginRun): Promise<EvmResult>;
  /** Runs a message on the state after a block; nothing of it is kept. */
  call(
    message: Message,
    header: Header,
    limits?: Pick<RunContext, "maxMs" | "yields">,
  ): Promise<EvmResult>;
  /** An EVM reserved for long work; return it afterwards. */
  lendEvm(): Promise<LentEvm>;
  /**
   * Opens a block to be run again, transaction by transaction.
   *
   * `undefined` when the block it was made on, or the state after that, is not known.
   */
  replay(block: Block): Promise<BlockReplay | undefined>;

  /** Verifies everything that is stored of the canonical chain, block by block. */
  verifyBlocks(): Generator<VerifiedBlock>;
  /** Verifies the whole state of the head, node by node. */
  verifyState(): Generator<VerifiedNode>;
}
