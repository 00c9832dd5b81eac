import type { Block, SealedBlock } from "../../blocks/block.js";
import { type Header, type SealedHeader, sealHeader } from "../../blocks/header.js";
import type { Receipt } from "../../blocks/receipt.js";
import type { SenderRecovery } from "../../blocks/sender-recovery.js";
import type { ConsensusEngine } from "../../consensus/engine.js";
import type { BlockContext, Evm } from "../../evm/evm.js";
import { StorageError } from "../../kernel/errors.js";
import type { Hash } from "../../primitives/hex.js";
import { openToPlugins } from "../../storage/plugin-table.js";
import type { KeyValueStore, WriteBatch } from "../../storage/store.js";
import { AncestorHashes } from "../ancestor-hashes.js";
import { BadBlocks } from "../bad-blocks.js";
import { ChainStore, type ExecutedBlock } from "../chain-store.js";
import { EarlyBlock, InvalidBlock } from "../errors.js";
import type { ForkSchedule } from "../forks.js";
import { type GenesisBlock, genesisBody } from "../genesis-block.js";
import type { ChainHooks, CommitEvent } from "../hooks.js";
import type { StateUpdate } from "../state/state-root.js";
import type { StateStore } from "../state/state-store.js";
import type { JournaledState } from "../state/world-state.js";
import { blobFeeOf, verifyExcessBlobGas } from "./blob-gas.js";
import { findHeadChange, type HeadChange } from "./choose-head.js";
import { type Execution, executeBlock, verifyExecution } from "./execute-block.js";
import { verifyBlockSize } from "./verify-block-size.js";
import { verifyBody } from "./verify-body.js";
import { verifyForkFields } from "./verify-fork-fields.js";
import { verifyHeader } from "./verify-header.js";

/** What a chain is imported with. */
export interface ImporterSettings {
  readonly store: KeyValueStore;
  readonly states: StateStore;
  readonly evm: Evm;
  readonly engine: ConsensusEngine;
  readonly forks: ForkSchedule;
  /** Gives senders a head start; they are recovered as they are needed without it. */
  readonly recovery?: SenderRecovery;
  /** Where plugins look at blocks on their way, and may refuse them. */
  readonly hooks?: ChainHooks;
  /** Whether blocks of this node are verified like those of others before they are committed. */
  readonly verifiesOwnBlocks?: boolean;
}

/** Where a block ended up, and what had to move for it. */
export interface ImportResult extends HeadChange {
  readonly block: SealedBlock;
  /** `known` when it was there already. */
  readonly placement: "head" | "side" | "known";
}

/**
 * Imports blocks one at a time: verify, execute, choose the head, commit.
 *
 * A block, its state, its indexes and the head are written in one batch; after a crash the head is
 * the old one or the new one.
 */
export class Importer {
  readonly #settings: ImporterSettings;
  readonly #chain: ChainStore;
  readonly #ancestors: AncestorHashes;
  readonly badBlocks = new BadBlocks();
  /** The end of the queue. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: ImporterSettings) {
    this.#settings = settings;
    this.#chain = new ChainStore(settings.store);
    this.#ancestors = new AncestorHashes((hash) => this.#chain.findHeader(hash)?.parentHash);
  }

  /** Writes block 0 into an empty database; refuses a database of another chain. */
  async open({ header, state }: GenesisBlock): Promise<SealedHeader> {
    const { store, states } = this.#settings;
    const block = this.#seal({ header, body: genesisBody(header) });
    const stored = this.#chain.findHash(header.number);
    if (stored === block.header.hash) return block.header;
    if (stored !== undefined) {
      throw new StorageError("GENESIS_MISMATCH", {
        message: `Supplied genesis block does not match chain data stored: ${block.header.hash} is not ${stored}. Please specify a different data directory with --data-path`,
      });
    }
    states.add(state);
    const batch = store.batch();
    this.#chain.putBlock(batch, { block, receipts: [], totalDifficulty: header.difficulty });
    this.#chain.addToCanonical(batch, block);
    this.#chain.setHead(batch, block.header.hash);
    const release = states.writeTo(batch);
    await batch.commit();
    release();
    return block.header;
  }

  /** Imports a block after those that were given before it; rejects with `InvalidBlock`. */
  import(block: Block): Promise<ImportResult> {
    // While the blocks before it are executed.
    const recovered = this.#settings.recovery?.recover(block.body.transactions);
    return this.#inTurn(async () => {
      await recovered;
      return this.#import(block);
    });
  }

  /**
   * Looks at a block that is proposed and runs it; nothing is kept.
   *
   * The rules of the engine are left to whoever asks: a proposal has no seal yet. Rejects with `InvalidBlock`.
   */
  execute(given: Block): Promise<{ readonly block: SealedBlock; readonly execution: Execution }> {
    return this.#inTurn(async () => {
      const block = this.#seal(given);
      const parent = this.#chain.findHeader(block.header.parentHash);
      if (parent === undefined) throw unknownParent(block.header);
      const { hooks } = this.#settings;
      return { block, execution: await this.#verify(block, parent, { hooks }) };
    });
  }

  /** Commits a block that was built and executed here, after those that were given before it. */
  submit({ block, execution }: { block: Block; execution: Execution }): Promise<ImportResult> {
    return this.#inTurn(async () => {
      const sealed = this.#seal(block);
      if (this.#settings.verifiesOwnBlocks === true) await this.#verifyOwn(sealed);
      this.#settings.states.add(execution.state);
      return this.#commit(sealed, execution);
    });
  }

  /** Makes a known block the head, whatever the engine prefers. */
  setHead(hash: Hash): Promise<ImportResult> {
    return this.#inTurn(() => this.#setHead(hash));
  }

  /** Runs a known block again on the state of its parent; throws `InvalidBlock` when it ends otherwise. */
  async rerun(block: SealedBlock): Promise<Execution> {
    const parent = this.#chain.findHeader(block.header.parentHash);
    if (parent === undefined) throw unknownParent(block.header);
    return this.#execute(block, this.#settings.states.open(parent.stateRoot));
  }

  /** Runs a block of the chain again and writes the state after it anew, in turn with blocks that come. */
  rebuild(block: SealedBlock): Promise<void> {
    return this.#inTurn(async () => this.#writeState((await this.rerun(block)).state));
  }

  /** Writes a state that is known from elsewhere anew. */
  restore(state: StateUpdate): Promise<void> {
    return this.#inTurn(() => this.#writeState(state));
  }

  async #writeState(state: StateUpdate): Promise<void> {
    const { states, store } = this.#settings;
    states.add(state);
    const batch = store.batch();
    const release = states.writeTo(batch);
    await batch.commit();
    release();
  }

  /** What code in a block can find out about it. */
  contextOf(header: Header): BlockContext {
    const { forks, engine } = this.#settings;
    const { number, timestamp, gasLimit, difficulty, mixHash, baseFeePerGas } = header;
    const { maxCodeBytes } = forks.rules;
    const blobFee = blobFeeOf(header, forks);
    const ancestors = this.#ancestors.of(header);
    return {
      fork: forks.at(header),
      number,
      timestamp,
      gasLimit,
      difficulty,
      mixHash,
      feeRecipient: engine.feeRecipient(header),
      ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
      ...(blobFee === undefined ? {} : { blobBaseFee: blobFee }),
      ...(maxCodeBytes === undefined ? {} : { maxCodeBytes }),
      hashOf: (wanted) => ancestors.hashOf(wanted),
    };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #import(given: Block): Promise<ImportResult> {
    const block = this.#seal(given);
    const { header } = block;
    if (this.#chain.findHeader(header.hash) !== undefined) {
      return this.#welcomeAgain(block);
    }
    const parent = this.#chain.findHeader(header.parentHash);
    if (parent === undefined) throw unknownParent(header);
    const { engine, hooks } = this.#settings;
    const execution = await this.#orRefuse(block, () =>
      this.#verify(block, parent, { engine, hooks }),
    );
    this.#settings.states.add(execution.state);
    return this.#commit(block, execution);
  }

  /** Verifies a block of this node; plugins are asked about blocks of others only. */
  async #verifyOwn(block: SealedBlock): Promise<void> {
    const parent = this.#chain.findHeader(block.header.parentHash);
    if (parent === undefined) throw unknownParent(block.header);
    await this.#verify(block, parent, { engine: this.#settings.engine });
  }

  /** Verifies and runs a block on its parent, by the rules of the engine and of plugins where they are given. */
  async #verify(
    block: SealedBlock,
    parent: SealedHeader,
    {
      engine,
      hooks,
    }: { readonly engine?: ConsensusEngine; readonly hooks?: ChainHooks | undefined },
  ): Promise<Execution> {
    const { forks, states } = this.#settings;
    const { header } = block;
    this.#verifyHeader(header, parent);
    verifyForkFields(header, forks, this.#settings.engine);
    await engine?.verifyHeader(header, parent, this.#chain);
    await hooks?.verifyHeader.call({ header, parent });
    verifyBody(block);
    verifyBlockSize(block, forks);
    verifyExcessBlobGas(header, parent, forks);
    await engine?.verifyBlock?.(block, parent, this.#chain);
    await hooks?.verifyBlock.call({ block, parent });
    const state = states.open(parent.stateRoot);
    await hooks?.beforeExecution.call({ block, parent, state });
    const execution = await this.#execute(block, state);
    const { receipts, results } = execution;
    await hooks?.executed.call({ block, receipts, results });
    return execution;
  }

  /** Remembers a block that breaks a rule; faults of the node itself, and coming early, are not held against it. */
  async #orRefuse<T>(block: SealedBlock, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof InvalidBlock && !(error instanceof EarlyBlock)) {
        this.badBlocks.add({ block, error });
        this.#settings.hooks?.badBlock.call({ block, error });
      }
      throw error;
    }
  }

  #verifyHeader(header: SealedHeader, parent: SealedHeader): void {
    const { engine, forks } = this.#settings;
    verifyHeader(header, parent, {
      hasBaseFee: forks.isActive("london", header),
      firstBaseFee: forks.isActive("london", parent) ? undefined : forks.rules.initialBaseFee,
      // So that history with other values can still be imported where the genesis file fixes the fee.
      takesAnyBaseFee:
        forks.rules.baseFee !== "market" || engine.takesAnyBaseFee?.(header) === true,
    });
  }

  async #execute(block: SealedBlock, state: JournaledState): Promise<Execution> {
    const { evm, states, engine, forks } = this.#settings;
    const fork = forks.at(block.header);
    const context = this.contextOf(block.header);
    const ground = { evm, states, state, block: context, forks, engine };
    const execution = await executeBlock(ground, block, () =>
      engine.finalize?.({ block, fork, state }),
    );
    verifyExecution(block.header, execution);
    return execution;
  }

  #weigh(block: SealedBlock, receipts: readonly Receipt[]): ExecutedBlock {
    const { parentHash, difficulty } = block.header;
    const before = this.#chain.findTotalDifficulty(parentHash) ?? 0n;
    return { block, receipts, totalDifficulty: before + difficulty };
  }

  async #commit(
    block: SealedBlock,
    { receipts, results }: Pick<Execution, "receipts" | "results">,
  ): Promise<ImportResult> {
    const { store, states } = this.#settings;
    const executed = this.#weigh(block, receipts);
    const change = this.#findChange(executed);
    const placement = change === undefined ? "side" : "head";
    const { removed, added } = change ?? { removed: [], added: [] };
    const batch = store.batch();
    this.#chain.putBlock(batch, executed);
    const release = states.writeTo(batch);
    if (change !== undefined) this.#move(batch, block.header, change);
    await this.#write(batch, { block, receipts, results, placement, added, removed });
    release();
    return { block, placement, removed, added };
  }

  /** A known block may be better than the head once the head was moved back. */
  async #welcomeAgain(block: SealedBlock): Promise<ImportResult> {
    const totalDifficulty = this.#chain.findTotalDifficulty(block.header.hash) ?? 0n;
    const change = this.#findChange({ block, receipts: [], totalDifficulty });
    if (change === undefined) return { block, placement: "known", removed: [], added: [] };
    return this.#moveTo(block, change);
  }

  async #setHead(hash: Hash): Promise<ImportResult> {
    const block = this.#chain.findBlock(hash);
    const head = this.#findHead();
    if (block === undefined || head === undefined) {
      throw new InvalidBlock("unknown-head", `there is no block ${hash} to make the head`);
    }
    return this.#moveTo(
      block,
      findHeadChange(head, block, (wanted) => this.#chain.findBlock(wanted)),
    );
  }

  /** Moves the head to a known block. */
  async #moveTo(block: SealedBlock, change: HeadChange): Promise<ImportResult> {
    const batch = this.#settings.store.batch();
    this.#move(batch, block.header, change);
    await this.#write(batch, { receipts: [], results: [], placement: "head", ...change });
    return { block, placement: "head", ...change };
  }

  #move(batch: WriteBatch, head: SealedHeader, { removed, added }: HeadChange): void {
    for (const block of removed) this.#chain.removeFromCanonical(batch, block);
    for (const block of added) this.#chain.addToCanonical(batch, block);
    this.#chain.setHead(batch, head.hash);
  }

  async #write(batch: WriteBatch, event: Omit<CommitEvent, "batch">): Promise<void> {
    const { hooks } = this.#settings;
    const plugins = openToPlugins(batch);
    await hooks?.commit.call({ ...event, batch: plugins.batch });
    await batch.commit();
    plugins.committed();
    const { block, placement } = event;
    if (block !== undefined) await hooks?.imported.call({ block, placement });
  }

  #findHead(): SealedBlock | undefined {
    const header = this.#chain.findHead();
    return header === undefined ? undefined : this.#chain.findBlock(header.hash);
  }

  /** What moves if the block becomes the head; `undefined` when it does not. */
  #findChange({ block, totalDifficulty }: ExecutedBlock): HeadChange | undefined {
    const header = this.#chain.findHead();
    if (header === undefined) return { removed: [], added: [block] };
    const { engine } = this.#settings;
    const weight = this.#chain.findTotalDifficulty(header.hash) ?? 0n;
    const isBetter =
      engine.prefers?.(
        { header: block.header, totalDifficulty },
        { header, totalDifficulty: weight },
      ) ?? totalDifficulty > weight;
    if (!isBetter) return undefined;
    if (block.header.parentHash === header.hash) return { removed: [], added: [block] };
    const head = this.#findHead();
    return head && findHeadChange(head, block, (hash) => this.#chain.findBlock(hash));
  }

  #seal({ header, body }: Block): SealedBlock {
    return { header: sealHeader(header, this.#settings.engine.hashHeader(header)), body };
  }
}

function unknownParent({ number, parentHash }: Header): InvalidBlock {
  return new InvalidBlock("unknown-parent", `block ${number}: no parent ${parentHash}`);
}
