import {
  type Address,
  type Block,
  type BlockReader,
  type Clock,
  type Hash,
  type HeadChanged,
  type Header,
  InvariantError,
  type Receipt,
  type SealedBlock,
  type SealedHeader,
  type StateReader,
  ZERO_HASH,
} from "@plinth/core";
import { Mutex } from "@plinth/core/async";
import { copyHeader, MAX_UINT64, sealHeader } from "@plinth/core/blocks";
import {
  type AccountProof,
  type BadBlock,
  type BlockMaker,
  type BlockWriter,
  type BloomSource,
  type ChangedAccount,
  type ChangedParts,
  type EncodedBlock,
  type FollowedBlock,
  type ImportResult,
  type JoinedBlock,
  JoinRefused,
  type LogIndex,
  type OldestStates,
  type ProofRequest,
  type QueuePlace,
  type RangedAccount,
  type RangedSlot,
  type ReplayedState,
  type Simulation,
  type StateRanges,
  type TransactionPlace,
  type VerifiedBlock,
  type VerifiedNode,
} from "@plinth/core/chain";
import type { BlockReward, Finality, ForkPoint } from "@plinth/core/consensus";
import {
  type BareRun,
  type BlockContext,
  type Evm,
  type EvmResult,
  type Fork,
  type LentEvm,
  type Message,
  type RunContext,
  RunTooLong,
} from "@plinth/core/evm";
import type { Bloom } from "@plinth/core/primitives";
import { type BlobRules, baseFeeOn, maxTransactionGas } from "@plinth/core/rules";
import {
  type BuildResult,
  type BuildSettings,
  buildBlock,
  draftHeader,
} from "../build/block-builder.js";
import type { EvmPool } from "../evm/evm-pool.js";
import type { GenesisBlock } from "../genesis/genesis-block.js";
import { blobFeeOf } from "../import/blob-gas.js";
import { Importer, type ImporterSettings, type OwnBlock } from "../import/importer.js";
import { addOlderBlocks } from "../join/add-older-blocks.js";
import type { Pace } from "../state/state-source.js";
import type { JournaledState } from "../state/world-state.js";
import { ChainStore } from "../store/chain-store.js";
import { RecentBlocks } from "../store/recent-blocks.js";
import { verifyBlocks } from "../verify/verify-blocks.js";
import { StateWalk } from "../verify/verify-state.js";
import { ReplayedBlock } from "./replayed-block.js";

/** Approximate memory of cached blocks; their receipts take as much again decoded, and twice as much encoded. */
const MAX_RECENT_BYTES = 8 * 1024 * 1024;

/**
 * The dependencies of a chain; calls and plugins have separate EVMs, so that blocks never wait for
 * them.
 */
export interface BlockchainSettings extends ImporterSettings {
  readonly callEvm: Evm;
  readonly pluginEvm: Evm;
  /** For replayed blocks, which may take long. */
  readonly replayEvms: EvmPool;
  /** Reports no finalized block to callers, like Besu, regardless of the engine. */
  readonly hidesFinality?: boolean;
  /** Limits of work for callers. */
  readonly callLimits?: CallLimits;
}

/** Limits of work for callers besides runs of code, which have their own. */
export interface CallLimits {
  /** Called continually; throws to abort the work. */
  readonly interrupt?: (() => void) | undefined;
  /** Longer work is aborted with `RunTooLong`, and one caller is served at a time; unlimited by default. */
  readonly maxMs?: number | undefined;
}

/** The content of a block to build. */
export type BlockPlan = Pick<
  BuildSettings,
  | "timestamp"
  | "extraData"
  | "coinbase"
  | "candidates"
  | "limits"
  | "targetGasLimit"
  | "selected"
  | "refine"
  | "withdrawals"
  | "parentBeaconBlockRoot"
> & { readonly parent?: SealedHeader };

/** A state opened by this chain. */
interface OpenedState extends ReplayedState {
  readonly state: JournaledState;
}

/** The chain of a node: its blocks, its states, and the only way to add to it. */
export class Blockchain implements BlockReader, BlockWriter, BlockMaker {
  readonly #preparing = new Mutex();
  readonly #adding = new Mutex();
  readonly #settings: BlockchainSettings;
  readonly #store: ChainStore;
  readonly #importer: Importer;
  readonly #recent = new RecentBlocks(MAX_RECENT_BYTES);
  readonly #genesis: GenesisBlock | undefined;
  #head: SealedHeader;
  /** For a read-only chain: the next block as the writing chain sees it. */
  #next: SealedHeader | undefined;
  #blooms: BloomSource | undefined;
  #logIndex: LogIndex | undefined;

  private constructor(
    settings: BlockchainSettings,
    importer: Importer,
    ends: { readonly genesis?: GenesisBlock; readonly head: SealedHeader },
  ) {
    this.#settings = settings;
    this.#importer = importer;
    this.#genesis = ends.genesis;
    this.#store = new ChainStore(settings.store);
    this.#head = ends.head;
  }

  /** Opens the chain of a genesis block at its stored head. */
  static async open(settings: BlockchainSettings, genesis: GenesisBlock): Promise<Blockchain> {
    const headMoved = async (change: HeadChanged) => {
      chain.#head = change.head;
      await settings.headMoved?.(change);
    };
    const importer = new Importer({ ...settings, headMoved });
    const first = await importer.open(genesis);
    const head = new ChainStore(settings.store).findHead() ?? first;
    const chain: Blockchain = new Blockchain(settings, importer, { genesis, head });
    return chain;
  }

  /**
   * Opens a chain that another thread writes; nothing is verified, and nothing may be added to it.
   */
  static read(head: SealedHeader, settings: BlockchainSettings): Blockchain {
    return new Blockchain(settings, new Importer(settings), { head });
  }

  /** Adopts the view of the thread that writes the chain. */
  observe(head: SealedHeader, next: SealedHeader | undefined): void {
    this.#head = head;
    this.#next = next;
  }

  /** The head block. */
  head(): SealedHeader {
    return this.#head;
  }

  /** The last finalized block; `undefined` if the engine reports none. */
  finalized(): SealedHeader | undefined {
    if (this.#settings.hidesFinality === true) return undefined;
    return this.#settings.engine.finality === "instant" ? this.#head : undefined;
  }

  /** A header by its hash, or by its number on the canonical chain. */
  findHeader(id: Hash | bigint): SealedHeader | undefined {
    const hash = typeof id === "bigint" ? this.#store.findHash(id) : id;
    return hash === undefined ? undefined : this.#store.findHeader(hash);
  }

  /** The bloom of a block of the canonical chain; much cheaper than its header. */
  findBloom(number: bigint): Bloom | undefined {
    return this.#store.findBloom(number);
  }

  /** Source of many blooms at once; `undefined` if no plugin provides it. */
  get blooms(): BloomSource | undefined {
    return this.#blooms;
  }

  /** Uses a bloom source for searches until the returned function is called. */
  offerBlooms(source: BloomSource): () => void {
    this.#blooms = source;
    return () => {
      if (this.#blooms === source) this.#blooms = undefined;
    };
  }

  /** The log index; `undefined` if no plugin provides one. */
  get logIndex(): LogIndex | undefined {
    return this.#logIndex;
  }

  /** Uses a log index for searches until the returned function is called. */
  offerLogIndex(source: LogIndex): () => void {
    this.#logIndex = source;
    return () => {
      if (this.#logIndex === source) this.#logIndex = undefined;
    };
  }

  /** A header with its hash as computed by the engine; throws if the engine cannot read it. */
  seal(header: Header): SealedHeader {
    return sealHeader(header, this.#settings.engine.hashHeader(header));
  }

  /**
   * A block by its hash, or by its number on the canonical chain; throws `BlockPruned` if its body is
   * no longer kept.
   */
  findBlock(id: Hash | bigint): SealedBlock | undefined {
    const hash = typeof id === "bigint" ? this.#store.findHash(id) : id;
    if (hash === undefined) return undefined;
    return this.#recent.blocks.find(hash, () => this.#store.findBlock(hash));
  }

  /** The receipts of a block, by its hash; throws `BlockPruned` if they are no longer kept. */
  findReceipts(hash: Hash): readonly Receipt[] | undefined {
    return this.#recent.receipts.find(hash, () => this.#store.findReceipts(hash));
  }

  /** The receipts of a block and its body without decoding them; throws `BlockPruned` if they are no longer kept. */
  findEncoded(hash: Hash): EncodedBlock | undefined {
    return this.#recent.encoded.find(hash, () => this.#store.findEncoded(hash));
  }

  /** The first block after block 0 whose body and receipts are kept; 0 if all are. */
  firstRetained(): bigint {
    return this.#store.firstRetained();
  }

  /** Whether blocks before the first one may be added. */
  get keepsOlder(): boolean {
    return this.#settings.blocksRetained === undefined;
  }

  /** Adds blocks right before the first one that is kept. */
  addOlder(blocks: readonly JoinedBlock[]): Promise<void> {
    const { store, blocksRetained } = this.#settings;
    return this.#adding.run(async () => {
      if (this.keepsOlder) return addOlderBlocks(store, blocks);
      throw new JoinRefused(`--blocks-retained=${blocksRetained} does not keep them`);
    });
  }

  /** Throws `BlockPruned` if bodies and receipts from one number to another are no longer kept. */
  verifyRetained(from: bigint, to: bigint): void {
    const first = this.#store.firstRetained();
    // Block 0 is always whole.
    const lowest = from > 0n ? from : 1n;
    if (lowest <= to && lowest < first) throw this.#store.pruned(lowest);
  }

  findTotalDifficulty(hash: Hash): bigint | undefined {
    return this.#store.findTotalDifficulty(hash);
  }

  /** The position of a transaction on the canonical chain. */
  findTransaction(hash: Hash): TransactionPlace | undefined {
    return this.#store.findTransaction(hash);
  }

  /** The fee recipient of a block; for the next block, the one this node would use. */
  feeRecipientOf(header: Header): Address {
    return this.#settings.engine.feeRecipient(header);
  }

  /** The reward of the block producer, besides fees and its share for uncles. */
  rewardOf(header: Header): bigint {
    return this.#settings.engine.blockReward?.(header, this.forkAt(header)) ?? 0n;
  }

  /** The rewards of a block: for the block itself first, even if zero, then for each uncle. */
  rewardsOf(block: Block): readonly BlockReward[] {
    const { engine } = this.#settings;
    const { header } = block;
    const rewards = engine.rewards?.(block, this.forkAt(header)) ?? [];
    if (rewards.length > 0) return rewards;
    return [{ kind: "block", beneficiary: engine.feeRecipient(header), amount: 0n }];
  }

  /** The rules at a position of the chain. */
  forkAt(point: ForkPoint): Fork {
    return this.#settings.forks.at(point);
  }

  /** Whether the rules of a fork apply at a position of the chain. */
  isActive(fork: Fork, point: ForkPoint): boolean {
    return this.#settings.forks.isActive(fork, point);
  }

  /** Maximum gas of a transaction at a position of the chain; `undefined` for no limit. */
  maxTransactionGasAt(point: ForkPoint): bigint | undefined {
    return maxTransactionGas(this.#settings.engine, point, this.forkAt(point));
  }

  /** The blob schedule at a position of the chain; `undefined` before blobs. */
  blobRulesAt(point: ForkPoint): BlobRules | undefined {
    return this.#settings.forks.blobsAt(point);
  }

  /** The base fee of the block after this one; `undefined` if it has none. */
  baseFeeAfter(header: Header): bigint | undefined {
    const { forks } = this.#settings;
    const point = { number: header.number + 1n, timestamp: header.timestamp + 1n };
    return forks.rulesAt(point).hasBaseFee ? baseFeeOn(header, forks) : undefined;
  }

  /** The blob base fee of a block; `undefined` before blobs. */
  blobFeeAt(header: Header): bigint | undefined {
    return blobFeeOf(header, this.#settings.forks);
  }

  /**
   * The next block as far as it is known: its number, time and base fee, on the state of the head.
   */
  async next(): Promise<SealedHeader> {
    if (this.#next !== undefined) return this.#next;
    const { engine, forks, clock } = this.#settings;
    const parent = this.#head;
    const wanted = engine.nextTimestamp?.(parent, clock) ?? nextSecond(parent, clock);
    const timestamp = wanted < MAX_UINT64 ? wanted : MAX_UINT64;
    const draft = await engine.prepareHeader(
      draftHeader({ parent, timestamp, forks }),
      parent,
      this.#store,
    );
    return sealHeader(copyHeader(draft, { stateRoot: parent.stateRoot }), ZERO_HASH);
  }

  /** Whether the state after a block is available. */
  hasState(header: Header): boolean {
    return this.#settings.states.has(header);
  }

  /** The first blocks whose state is kept. */
  oldestStates(): OldestStates {
    return this.#settings.states.oldest();
  }

  /** Throws `StatePruned` if the state after a block is one that the options no longer keep. */
  verifyStateKept(header: Header): void {
    this.#settings.states.verifyKept(header);
  }

  /** Whether values of states may be missing until they are fetched. */
  get isPartial(): boolean {
    return this.#settings.states.isPartial;
  }

  /** Runs work that reads states, and again once the values that it misses are fetched. */
  resolveMissing<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#settings.states.resolveMissing(work);
  }

  /** The state after a block. */
  stateAt(header: Header): StateReader {
    return this.#settings.states.readerAt(header);
  }

  /**
   * Makes the tries of a block, or of a replayed state, ready: others run in between.
   *
   * Until the result is disposed of, proofs, ranges and roots of this state take little time.
   */
  prepareTries(of: Header | OpenedState): Promise<Disposable> {
    const { states } = this.#settings;
    return states.prepareTries("state" in of ? of.state : states.open(of), this.#pace());
  }

  /** Long work on tries takes turns, and has the time of a call. */
  #pace(): Pace {
    const { interrupt, maxMs } = this.#settings.callLimits ?? {};
    if (maxMs === undefined) return { lane: "guest", verify: interrupt };
    const deadline = performance.now() + maxMs;
    const verify = () => {
      interrupt?.();
      if (performance.now() > deadline) throw new RunTooLong(maxMs);
    };
    return { lane: "guest", verify, queue: this.#preparing };
  }

  /** Opens the tries of the state after a block; close them soon, they hold resources. */
  openRanges(header: Header): Promise<StateRanges> {
    return this.#settings.states.openRanges(header, this.#pace());
  }

  /** The accounts and slots that a block changed, with their values after it. */
  changesOf(block: SealedHeader, what?: ChangedParts): IterableIterator<ChangedAccount> {
    return this.#settings.states.changesOf(block, what);
  }

  /** The code with a hash; `undefined` if no account has had it. */
  findCode(hash: Hash): Uint8Array | undefined {
    return this.#settings.states.findCode(hash);
  }

  /** Proves an account and some of its slots under the state root of a block. */
  prove(header: Header, what: ProofRequest): AccountProof {
    return this.#settings.states.prove(header, what);
  }

  /** The accounts after a block in order of their hashes, starting at a hash. */
  accountsFrom(header: Header, start: Hash): Iterable<RangedAccount> {
    return this.#settings.states.accountsFrom(header, start);
  }

  /** The same for a replayed state. */
  accountsIn({ state }: OpenedState, start: Hash): Iterable<RangedAccount> {
    return this.#settings.states.accountsIn(state, start);
  }

  /** The slots of an account in order of their hashes, starting at a hash, in a replayed state. */
  slotsIn(
    { state }: OpenedState,
    from: { readonly address: Address; readonly start: Hash },
  ): Iterable<RangedSlot> {
    return this.#settings.states.slotsFrom(state, from);
  }

  /** The slots of an account after a block in order of their hashes, starting at a hash. */
  slotsAt(
    header: Header,
    from: { readonly address: Address; readonly start: Hash },
  ): Iterable<RangedSlot> {
    const { states } = this.#settings;
    return states.slotsFrom(states.open(header), from);
  }

  /** The current root of a replayed state. */
  rootOf({ state }: OpenedState): Hash {
    return this.#settings.states.update(state).root;
  }

  /**
   * The address or storage slot behind a trie key; `undefined` if it never changed on this node.
   */
  findPreimage(key: Hash): Address | Hash | undefined {
    return this.#settings.states.findPreimage(key);
  }

  /** The environment of simulations; their changes are discarded. */
  get simulation(): Simulation {
    const { callEvm: evm, states, forks } = this.#settings;
    return { evm, states, forks, contextOf: (header) => this.#contextOf(header) };
  }

  /**
   * Runs a message on a state of a plugin, with the values of a block.
   *
   * The base fee reads as zero unless the code runs bare, in which case it is not charged.
   */
  run(
    message: Message,
    {
      header,
      ...on
    }: Omit<RunContext, "block"> & { readonly header: Header; readonly bare?: BareRun },
  ): Promise<EvmResult> {
    const block = on.bare === undefined ? this.#freeContextOf(header) : this.#contextOf(header);
    return this.#settings.pluginEvm.runMessage(message, { block, ...on });
  }

  /** Runs a message on the state after a block; its changes are discarded. */
  call(
    message: Message,
    header: Header,
    limits?: Pick<RunContext, "maxMs" | "yields">,
  ): Promise<EvmResult> {
    const state = this.#settings.states.open(header);
    return this.run(message, { header, state, ...limits });
  }

  /** An EVM reserved for long work; return it afterwards. */
  lendEvm(): Promise<LentEvm> {
    return this.#settings.replayEvms.take();
  }

  /**
   * Opens a block for replay, transaction by transaction.
   *
   * `undefined` if its parent, or the state after it, is not available.
   */
  async replay(block: Block): Promise<ReplayedBlock | undefined> {
    const { replayEvms, states, forks, engine } = this.#settings;
    const parent = this.findHeader(block.header.parentHash);
    if (parent === undefined) return undefined;
    this.verifyStateKept(parent);
    if (!this.hasState(parent)) return undefined;
    const lent = await replayEvms.take();
    const giveBack = () => lent[Symbol.dispose]();
    try {
      const context = this.#contextOf(block.header);
      const state = states.open(parent);
      const execution = { evm: lent.evm, states, state, block: context, forks, engine };
      return await ReplayedBlock.open(block, execution, giveBack);
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Builds a block, on the head by default. */
  build(settings: BlockPlan): Promise<BuildResult> {
    const { evm, states, engine, forks } = this.#settings;
    const contextOf = (header: Header) => this.#contextOf(header);
    const chain = this.#store;
    return buildBlock({
      evm,
      states,
      engine,
      chain,
      forks,
      parent: this.#head,
      contextOf,
      ...settings,
    });
  }

  /**
   * Executes a proposed block without the engine's rules; nothing is stored until it is submitted.
   */
  execute(block: Block): Promise<Pick<BuildResult, "block" | "execution">> {
    return this.#importer.execute(block);
  }

  /** Adds a block built or executed here, without executing it again. */
  submit(built: OwnBlock): Promise<ImportResult> {
    return this.#importer.submit(built);
  }

  /** Imports a block, after the earlier blocks of the same origin. */
  import(block: Block, place: QueuePlace): Promise<ImportResult> {
    return this.#importer.import(block, place);
  }

  /** Adds a replayed block with its state as it is now, and with these receipts, whatever its execution gave. */
  adopt({ block, state }: ReplayedBlock, receipts: readonly Receipt[]): Promise<ImportResult> {
    return this.#importer.adopt({ block, receipts, state: this.#settings.states.update(state) });
  }

  /** Adds a block that another node executed. */
  follow(followed: FollowedBlock): Promise<ImportResult> {
    return this.#importer.follow(followed);
  }

  /**
   * Verifies a header whose parent is known, regardless of its body; rejects with `InvalidBlock`.
   */
  verifyHeader(header: SealedHeader): Promise<void> {
    return this.#importer.verifyHeader(header);
  }

  /** Drops blocks that wait for their parents or their time. */
  close(): void {
    this.#importer.close();
  }

  /** Re-executes a known block; throws `InvalidBlock` unless the result matches its header. */
  async rerun(hash: Hash): Promise<void> {
    const block = this.findBlock(hash);
    if (block !== undefined) await this.#importer.rerun(block);
  }

  /**
   * Forgets bad blocks and rewrites the states; yields after each.
   *
   * All of them from the re-executed blocks, or the tries of the head from its values, as the layout has them. Throws the
   * reason of the signal once it is aborted.
   */
  rebuildStates(signal?: AbortSignal): AsyncGenerator<SealedHeader, undefined> {
    if (this.#genesis === undefined) throw new InvariantError("this chain is read-only");
    this.#importer.badBlocks.clear();
    if (!this.#settings.states.canRestore) return this.#importer.rebuildTries(signal);
    this.verifyRetained(0n, this.#head.number);
    return this.#rebuildStates(this.#genesis, signal);
  }

  async *#rebuildStates(
    genesis: GenesisBlock,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<SealedHeader, undefined> {
    await this.#importer.restore(genesis.state);
    for (let number = 1n; number <= this.#head.number; number++) {
      const block = this.findBlock(number);
      if (block === undefined) return;
      signal?.throwIfAborted();
      await this.#importer.rebuild(block);
      yield block.header;
    }
  }

  /** Verifies all stored data of the canonical chain, block by block. */
  verifyBlocks(): Generator<VerifiedBlock> {
    return verifyBlocks(this.#store, this.#settings.engine);
  }

  /** Verifies the whole state of the head, node by node. */
  verifyState(): Generator<VerifiedNode> {
    return new StateWalk(this.#settings.store).run(this.#head.stateRoot);
  }

  /** The kind of finality of blocks on the chain. */
  get finality(): Finality {
    return this.#settings.engine.finality;
  }

  /** The most recently rejected blocks, with the reasons. */
  badBlocks(): readonly BadBlock[] {
    return this.#importer.badBlocks.all();
  }

  /**
   * Makes a known block the head; later blocks stay known, their transactions do not return to the
   * pool.
   */
  setHead(hash: Hash): Promise<ImportResult> {
    return this.#importer.setHead(hash);
  }

  #contextOf(header: Header): BlockContext {
    return this.#importer.contexts.of(header);
  }

  #freeContextOf(header: Header): BlockContext {
    const context = this.#contextOf(header);
    return context.baseFeePerGas === undefined ? context : { ...context, baseFeePerGas: 0n };
  }
}

function nextSecond({ timestamp }: Header, clock: Pick<Clock, "now">): bigint {
  const now = BigInt(Math.floor(clock.now() / 1000));
  return now > timestamp ? now : timestamp + 1n;
}
