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
import { MAX_UINT64, sealHeader } from "@plinth/core/blocks";
import type {
  AccountProof,
  BadBlock,
  BlockMaker,
  BlockWriter,
  BloomSource,
  ImportResult,
  LogIndex,
  ProofRequest,
  QueuePlace,
  RangedAccount,
  RangedSlot,
  ReplayedState,
  Simulation,
  TransactionPlace,
  VerifiedBlock,
  VerifiedNode,
} from "@plinth/core/chain";
import type { BlockReward, Finality, ForkPoint } from "@plinth/core/consensus";
import type {
  BareRun,
  BlockContext,
  Evm,
  EvmResult,
  Fork,
  LentEvm,
  Message,
  RunContext,
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
import type { JournaledState } from "../state/world-state.js";
import { ChainStore } from "../store/chain-store.js";
import { RecentBlocks } from "../store/recent-blocks.js";
import { verifyBlocks } from "../verify/verify-blocks.js";
import { StateWalk } from "../verify/verify-state.js";
import { ReplayedBlock } from "./replayed-block.js";

/** About what decoded blocks may take, and receipts as much again. */
const MAX_RECENT_BYTES = 8 * 1024 * 1024;

/** What a chain is opened with; calls and plugins have EVMs of their own, so that blocks never wait for them. */
export interface BlockchainSettings extends ImporterSettings {
  readonly callEvm: Evm;
  readonly pluginEvm: Evm;
  /** For blocks that are run again, which may take long. */
  readonly replayEvms: EvmPool;
  /** Callers learn of no final block, as with Besu, whatever the engine says. */
  readonly hidesFinality?: boolean;
}

/** What a block is to hold. */
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

/** A state that this chain opened. */
interface OpenedState extends ReplayedState {
  readonly state: JournaledState;
}

/** The chain of a node: its blocks, its states, and the one way to add to it. */
export class Blockchain implements BlockReader, BlockWriter, BlockMaker {
  readonly #settings: BlockchainSettings;
  readonly #store: ChainStore;
  readonly #importer: Importer;
  readonly #recent = new RecentBlocks(MAX_RECENT_BYTES);
  readonly #genesis: GenesisBlock | undefined;
  #head: SealedHeader;
  /** Of a chain that only reads: the next block as the chain that writes sees it. */
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

  /** Opens the chain that begins with a genesis block, where it was left. */
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

  /** Opens a chain that another thread writes; nothing is verified, and nothing may be added to it. */
  static read(head: SealedHeader, settings: BlockchainSettings): Blockchain {
    return new Blockchain(settings, new Importer(settings), { head });
  }

  /** Sees the chain as the thread that writes it does. */
  observe(head: SealedHeader, next: SealedHeader | undefined): void {
    this.#head = head;
    this.#next = next;
  }

  /** The last block. */
  head(): SealedHeader {
    return this.#head;
  }

  /** The last final block; `undefined` where the engine reports none. */
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

  /** Where many blooms are read at once; `undefined` when no plugin provides it. */
  get blooms(): BloomSource | undefined {
    return this.#blooms;
  }

  /** Lets searches read blooms from there until the answer is called. */
  offerBlooms(source: BloomSource): () => void {
    this.#blooms = source;
    return () => {
      if (this.#blooms === source) this.#blooms = undefined;
    };
  }

  /** The log index; `undefined` when no plugin provides one. */
  get logIndex(): LogIndex | undefined {
    return this.#logIndex;
  }

  /** Lets searches ask there where logs may be, until the answer is called. */
  offerLogIndex(source: LogIndex): () => void {
    this.#logIndex = source;
    return () => {
      if (this.#logIndex === source) this.#logIndex = undefined;
    };
  }

  /** A header with the hash that its engine gives it; throws where the engine cannot read it. */
  seal(header: Header): SealedHeader {
    return sealHeader(header, this.#settings.engine.hashHeader(header));
  }

  /** A block by its hash, or by its number on the canonical chain. */
  findBlock(id: Hash | bigint): SealedBlock | undefined {
    const hash = typeof id === "bigint" ? this.#store.findHash(id) : id;
    if (hash === undefined) return undefined;
    return this.#recent.blocks.find(hash, () => this.#store.findBlock(hash));
  }

  findReceipts(hash: Hash): readonly Receipt[] | undefined {
    return this.#recent.receipts.find(hash, () => this.#store.findReceipts(hash));
  }

  findTotalDifficulty(hash: Hash): bigint | undefined {
    return this.#store.findTotalDifficulty(hash);
  }

  /** Where a transaction stands on the canonical chain. */
  findTransaction(hash: Hash): TransactionPlace | undefined {
    return this.#store.findTransaction(hash);
  }

  /** Who gets the fees of a block; of the next one, whom this node would pay. */
  feeRecipientOf(header: Header): Address {
    return this.#settings.engine.feeRecipient(header);
  }

  /** What the maker of a block was paid, beside fees and what it got for uncles. */
  rewardOf(header: Header): bigint {
    return this.#settings.engine.blockReward?.(header, this.forkAt(header)) ?? 0n;
  }

  /** What was paid at the end of a block: for the block itself first, even where that is nothing, then for each uncle. */
  rewardsOf(block: Block): readonly BlockReward[] {
    const { engine } = this.#settings;
    const { header } = block;
    const rewards = engine.rewards?.(block, this.forkAt(header)) ?? [];
    if (rewards.length > 0) return rewards;
    return [{ kind: "block", beneficiary: engine.feeRecipient(header), amount: 0n }];
  }

  /** The rules at a point of the chain. */
  forkAt(point: ForkPoint): Fork {
    return this.#settings.forks.at(point);
  }

  /** Do the rules of a fork hold at a point of the chain? */
  isActive(fork: Fork, point: ForkPoint): boolean {
    return this.#settings.forks.isActive(fork, point);
  }

  /** The most gas of a transaction at a point of the chain; `undefined` for any. */
  maxTransactionGasAt(point: ForkPoint): bigint | undefined {
    return maxTransactionGas(this.#settings.engine, point, this.forkAt(point));
  }

  /** How blobs are counted and priced at a point of the chain; `undefined` before blobs. */
  blobRulesAt(point: ForkPoint): BlobRules | undefined {
    return this.#settings.forks.blobsAt(point);
  }

  /** What gas must cost at least in the block after this one; `undefined` where that has no base fee. */
  baseFeeAfter(header: Header): bigint | undefined {
    const { forks } = this.#settings;
    const point = { number: header.number + 1n, timestamp: header.timestamp + 1n };
    return forks.rulesAt(point).hasBaseFee ? baseFeeOn(header, forks) : undefined;
  }

  /** What blob gas costs in a block; `undefined` before blobs. */
  blobFeeAt(header: Header): bigint | undefined {
    return blobFeeOf(header, this.#settings.forks);
  }

  /** The block that would come next, as far as it is known: its number, time and base fee, on the state of the head. */
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
    return { ...draft, stateRoot: parent.stateRoot, hash: ZERO_HASH };
  }

  /** Whether the state after a block is known. */
  hasState({ stateRoot }: Header): boolean {
    return this.#settings.states.has(stateRoot);
  }

  /** The state after a block. */
  stateAt({ stateRoot }: Header): StateReader {
    return this.#settings.states.open(stateRoot);
  }

  /** Proves an account and some of its slots under the state root of a block. */
  prove({ stateRoot }: Header, what: Omit<ProofRequest, "root">): AccountProof {
    return this.#settings.states.prove({ ...what, root: stateRoot });
  }

  /** The accounts after a block in the order of their hashes, from one on. */
  accountsFrom({ stateRoot }: Header, start: Hash): Iterable<RangedAccount> {
    return this.#settings.states.accountsFrom(stateRoot, start);
  }

  /** The same in a state that was replayed. */
  accountsIn({ state }: OpenedState, start: Hash): Iterable<RangedAccount> {
    return this.#settings.states.accountsIn(state, start);
  }

  /** The slots of an account in the order of their hashes, from one on, in a state that was replayed. */
  slotsIn(
    { state }: OpenedState,
    from: { readonly address: Address; readonly start: Hash },
  ): Iterable<RangedSlot> {
    return this.#settings.states.slotsFrom(state, from);
  }

  /** The slots of an account after a block, in the order of their hashes, from one on. */
  slotsAt(
    { stateRoot }: Header,
    from: { readonly address: Address; readonly start: Hash },
  ): Iterable<RangedSlot> {
    const { states } = this.#settings;
    return states.slotsFrom(states.open(stateRoot), from);
  }

  /** The root of a state that was replayed, as it is now. */
  rootOf({ state }: OpenedState): Hash {
    return this.#settings.states.update(state).root;
  }

  /** The address or storage slot behind a key of a trie; `undefined` when it never changed here. */
  findPreimage(key: Hash): Address | Hash | undefined {
    return this.#settings.states.findPreimage(key);
  }

  /** What simulations run on; nothing of them is kept. */
  get simulation(): Simulation {
    const { callEvm: evm, states, forks } = this.#settings;
    return { evm, states, forks, contextOf: (header) => this.#contextOf(header) };
  }

  /**
   * Runs a message on a state that a plugin holds, with the values of a block.
   *
   * The base fee reads as zero, unless the code runs bare: then it is not paid.
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

  /** Runs a message on the state after a block; nothing of it is kept. */
  call(
    message: Message,
    header: Header,
    limits?: Pick<RunContext, "maxMs" | "yields">,
  ): Promise<EvmResult> {
    const state = this.#settings.states.open(header.stateRoot);
    return this.run(message, { header, state, ...limits });
  }

  /** An EVM reserved for long work; return it afterwards. */
  lendEvm(): Promise<LentEvm> {
    return this.#settings.replayEvms.take();
  }

  /**
   * Opens a block to be run again, transaction by transaction.
   *
   * `undefined` when the block it was made on, or the state after that, is not known.
   */
  async replay(block: Block): Promise<ReplayedBlock | undefined> {
    const { replayEvms, states, forks, engine } = this.#settings;
    const parent = this.findHeader(block.header.parentHash);
    if (parent === undefined || !this.hasState(parent)) return undefined;
    const lent = await replayEvms.take();
    const giveBack = () => lent[Symbol.dispose]();
    try {
      const context = this.#contextOf(block.header);
      const state = states.open(parent.stateRoot);
      const execution = { evm: lent.evm, states, state, block: context, forks, engine };
      return await ReplayedBlock.open(block, execution, giveBack);
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Builds a block, on the head unless another parent is given. */
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

  /** Runs a block that is proposed, without the engine's rules; nothing is kept before it is submitted. */
  execute(block: Block): Promise<Pick<BuildResult, "block" | "execution">> {
    return this.#importer.execute(block);
  }

  /** Adds a block that was built or executed here, as it was executed. */
  submit(built: OwnBlock): Promise<ImportResult> {
    return this.#importer.submit(built);
  }

  /** Imports a block from elsewhere, after those of its origin that came before it. */
  import(block: Block, place: QueuePlace): Promise<ImportResult> {
    return this.#importer.import(block, place);
  }

  /** Verifies a header whose parent is known, without a look at its body; rejects with `InvalidBlock`. */
  verifyHeader(header: SealedHeader): Promise<void> {
    return this.#importer.verifyHeader(header);
  }

  /** Lets go of blocks that wait for their parents or their time. */
  close(): void {
    this.#importer.close();
  }

  /** Runs a known block again; throws `InvalidBlock` unless it leads to what its header says. */
  async rerun(hash: Hash): Promise<void> {
    const block = this.findBlock(hash);
    if (block !== undefined) await this.#importer.rerun(block);
  }

  /**
   * Forgets which blocks were bad, re-executes the whole chain and rewrites every state; yields after
   * each block.
   */
  async *rebuildStates(): AsyncGenerator<SealedHeader, undefined> {
    if (this.#genesis === undefined) throw new InvariantError("this chain is read only");
    this.#importer.badBlocks.clear();
    await this.#importer.restore(this.#genesis.state);
    for (let number = 1n; number <= this.#head.number; number++) {
      const block = this.findBlock(number);
      if (block === undefined) return;
      await this.#importer.rebuild(block);
      yield block.header;
    }
  }

  /** Verifies everything that is stored of the canonical chain, block by block. */
  verifyBlocks(): Generator<VerifiedBlock> {
    return verifyBlocks(this.#store, this.#settings.engine);
  }

  /** Verifies the whole state of the head, node by node. */
  verifyState(): Generator<VerifiedNode> {
    return new StateWalk(this.#settings.store).run(this.#head.stateRoot);
  }

  /** How final blocks are once they are on the chain. */
  get finality(): Finality {
    return this.#settings.engine.finality;
  }

  /** The blocks that were refused last, with the reasons. */
  badBlocks(): readonly BadBlock[] {
    return this.#importer.badBlocks.all();
  }

  /** Makes a known block the head; the blocks after it stay known, their transactions do not return to the pool. */
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
