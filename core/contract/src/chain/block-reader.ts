import type { Block, SealedBlock } from "../blocks/block.js";
import type { Header, SealedHeader } from "../blocks/header.js";
import type { Receipt } from "../blocks/receipt.js";
import type { BlockReward, Finality } from "../consensus/engine.js";
import type { ForkPoint } from "../consensus/fork-rules.js";
import type { BareRun, EvmResult, LentEvm, Message, RunContext } from "../evm/evm.js";
import type { Fork } from "../evm/fork.js";
import type { StateReader } from "../evm/world-state.js";
import { PlinthError } from "../kernel/errors.js";
import type { Bloom } from "../primitives/bloom.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { BlobRules } from "../rules/blob-schedule.js";
import type { BadBlock } from "./bad-block.js";
import type { BloomSource } from "./bloom-source.js";
import type { LogIndex } from "./log-index.js";
import type { BlockReplay, ReplayedState } from "./replay.js";
import type { Simulation } from "./simulation.js";
import type { ChangedAccount, ChangedParts } from "./state/changed-account.js";
import type { RangedAccount, RangedSlot } from "./state/state-entries.js";
import type { AccountProof, ProofRequest, StateRanges } from "./state/state-proof.js";
import type { VerifiedBlock, VerifiedNode } from "./verified-block.js";

/** The position of a transaction on the canonical chain. */
export interface TransactionPlace {
  readonly blockHash: Hash;
  readonly index: number;
}

/** A block as it is stored; the bytes are shared and must not be modified. */
export interface EncodedBlock {
  /** The RLP of the list of receipts. */
  readonly receipts: Uint8Array;
  /** Reads the body; throws `BlockPruned` if it is no longer kept. */
  findBody(): Uint8Array | undefined;
}

/** An account whose slots are read, from a slot hash on. */
export interface SlotRange {
  readonly address: Address;
  readonly start: Hash;
}

/** The environment of a message besides the values of its block. */
export interface PluginRun extends Omit<RunContext, "block"> {
  readonly header: Header;
  readonly bare?: BareRun;
}

/** The first blocks whose values and whose tries are kept; 0 if all are. */
export interface OldestStates {
  readonly values: bigint;
  readonly tries: bigint;
}

/** A state, or its trie, that an option no longer keeps; the message names the option. */
export class StatePruned extends PlinthError {
  constructor(message: string) {
    super("STATE_PRUNED", { message });
  }
}

/** A body or receipts that an option no longer keeps; the message names the option. */
export class BlockPruned extends PlinthError {
  constructor(message: string) {
    super("BLOCK_PRUNED", { message });
  }
}

/** The result of a read; `undefined` if it is of a body or receipts that are no longer kept. */
export function unlessPruned<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof BlockPruned) return undefined;
    throw error;
  }
}

/** Read access to a chain, for any plugin and on any thread. */
export interface BlockReader {
  /** The head block. */
  head(): SealedHeader;
  /** The last finalized block; `undefined` if the engine reports none. */
  finalized(): SealedHeader | undefined;
  /** The kind of finality of blocks on the chain. */
  readonly finality: Finality;
  /**
   * The next block as far as it is known: its number, time and base fee, on the state of the head.
   */
  next(): Promise<SealedHeader>;
  /** A header with its hash as computed by the engine; throws if the engine cannot read it. */
  seal(header: Header): SealedHeader;

  /** A header by its hash, or by its number on the canonical chain. */
  findHeader(id: Hash | bigint): SealedHeader | undefined;
  /**
   * A block by its hash, or by its number on the canonical chain; throws `BlockPruned` if its body is
   * no longer kept.
   */
  findBlock(id: Hash | bigint): SealedBlock | undefined;
  /** The receipts of a block, by its hash; throws `BlockPruned` if they are no longer kept. */
  findReceipts(hash: Hash): readonly Receipt[] | undefined;
  /**
   * The receipts of a block and its body without decoding them, by its hash; throws `BlockPruned` if they are no longer kept.
   */
  findEncoded(hash: Hash): EncodedBlock | undefined;
  /** The first block after block 0 whose body and receipts are kept; 0 if all are. */
  firstRetained(): bigint;
  /** Throws `BlockPruned` if bodies and receipts from one number to another are no longer kept. */
  verifyRetained(from: bigint, to: bigint): void;
  /** The total difficulty up to and including a block. */
  findTotalDifficulty(hash: Hash): bigint | undefined;
  /**
   * The position of a transaction on the canonical chain; `undefined` if the body of its block is no
   * longer kept.
   */
  findTransaction(hash: Hash): TransactionPlace | undefined;
  /** The most recently rejected blocks, with the reasons. */
  badBlocks(): readonly BadBlock[];

  /** The bloom of a block of the canonical chain; much cheaper than its header. */
  findBloom(number: bigint): Bloom | undefined;
  /** Source of many blooms at once; `undefined` if no plugin provides it. */
  readonly blooms: BloomSource | undefined;
  /** Registers a source of blooms; call the returned function to remove it. */
  offerBlooms(source: BloomSource): () => void;
  /** The log index; `undefined` if no plugin provides one. */
  readonly logIndex: LogIndex | undefined;
  /** Registers a log index; call the returned function to remove it. */
  offerLogIndex(source: LogIndex): () => void;

  /** The fee recipient of a block; for the next block, the one this node would use. */
  feeRecipientOf(header: Header): Address;
  /** The reward of the block producer, besides fees and its share for uncles. */
  rewardOf(header: Header): bigint;
  /** The rewards of a block: for the block itself first, even if zero, then for each uncle. */
  rewardsOf(block: Block): readonly BlockReward[];

  /** The rules at a position of the chain. */
  forkAt(point: ForkPoint): Fork;
  /** Whether the rules of a fork apply at a position of the chain. */
  isActive(fork: Fork, point: ForkPoint): boolean;
  /** Maximum gas of a transaction at a position of the chain; `undefined` for no limit. */
  maxTransactionGasAt(point: ForkPoint): bigint | undefined;
  /** The blob schedule at a position of the chain; `undefined` before blobs. */
  blobRulesAt(point: ForkPoint): BlobRules | undefined;
  /** The base fee of the block after this one; `undefined` if it has none. */
  baseFeeAfter(header: Header): bigint | undefined;
  /** The blob base fee of a block; `undefined` before blobs. */
  blobFeeAt(header: Header): bigint | undefined;

  /** Whether the state after a block is available. */
  hasState(header: Header): boolean;
  /** The first blocks whose state is kept. */
  oldestStates(): OldestStates;
  /** Throws `StatePruned` if the state after a block is one that the options no longer keep. */
  verifyStateKept(header: Header): void;
  /** Whether values of states may be missing until they are fetched from another node. */
  readonly isPartial: boolean;

  /**
   * Runs work that reads states; if values are missing, they are fetched and it runs again. So it must have no effect before
   * it has read all.
   */
  resolveMissing<T>(work: () => T | Promise<T>): Promise<T>;
  /** The state after a block, for a few reads: values are read again each time. */
  stateAt(header: Header): StateReader;
  /**
   * Makes the tries of a block, or of a replayed state, ready: others run in between.
   *
   * Until the result is disposed of, proofs, ranges and roots of this state take little time. Those of an earlier block
   * may take seconds without it, during which the thread does nothing else.
   */
  prepareTries(of: Header | ReplayedState): Promise<Disposable>;
  /** Proves an account and some of its slots under the state root of a block. */
  prove(header: Header, what: ProofRequest): AccountProof;
  /** Opens the tries of the state after a block; close them soon, they hold resources. */
  openRanges(header: Header): Promise<StateRanges>;
  /**
   * The accounts and slots that a block changed, with their values after it, also if the block has left the canonical
   * chain. Without slots it takes a fraction of the time.
   *
   * Throws `StatePruned` if they are no longer kept, or if the format of states does not have them. Read them to the end,
   * or end the iteration: it holds resources.
   */
  changesOf(block: SealedHeader, what?: ChangedParts): IterableIterator<ChangedAccount>;
  /** The code with a hash; `undefined` if no account has had it. */
  findCode(hash: Hash): Uint8Array | undefined;
  /** The accounts after a block in order of their hashes, starting at a hash. */
  accountsFrom(header: Header, start: Hash): Iterable<RangedAccount>;
  /** The same for a replayed state. */
  accountsIn(replayed: ReplayedState, start: Hash): Iterable<RangedAccount>;
  /** The slots of an account after a block in order of their hashes, starting at a hash. */
  slotsAt(header: Header, from: SlotRange): Iterable<RangedSlot>;
  /** The same for a replayed state. */
  slotsIn(replayed: ReplayedState, from: SlotRange): Iterable<RangedSlot>;
  /** The current root of a replayed state. */
  rootOf(replayed: ReplayedState): Hash;
  /**
   * The address or storage slot behind a trie key; `undefined` if it never changed on this node.
   */
  findPreimage(key: Hash): Address | Hash | undefined;

  /** The environment of simulations; their changes are discarded. */
  readonly simulation: Simulation;
  /**
   * Runs a message on a state of a plugin, with the values of a block.
   *
   * The base fee reads as zero unless the code runs bare, in which case it is not charged.
   */
  run(message: Message, on: PluginRun): Promise<EvmResult>;
  /** Runs a message on the state after a block; its changes are discarded. */
  call(
    message: Message,
    header: Header,
    limits?: Pick<RunContext, "maxMs" | "yields">,
  ): Promise<EvmResult>;
  /** An EVM reserved for long work; return it afterwards. */
  lendEvm(): Promise<LentEvm>;
  /**
   * Opens a block for replay, transaction by transaction.
   *
   * `undefined` if its parent, or the state after it, is not available.
   */
  replay(block: Block): Promise<BlockReplay | undefined>;

  /** Verifies all stored data of the canonical chain, block by block. */
  verifyBlocks(): Generator<VerifiedBlock>;
  /** Verifies the whole state of the head, node by node. */
  verifyState(): Generator<VerifiedNode>;
}
