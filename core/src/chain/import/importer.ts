import type { Block, SealedBlock } from "../../blocks/block.js";
import { type Header, type SealedHeader, sealHeader } from "../../blocks/header.js";
import type { Receipt } from "../../blocks/receipt.js";
import type { ConsensusEngine } from "../../consensus/engine.js";
import type { BlockContext, Evm } from "../../evm/evm.js";
import { StorageError } from "../../kernel/errors.js";
import type { Hash } from "../../primitives/hex.js";
import type { KeyValueStore } from "../../storage/store.js";
import { ChainStore, type ExecutedBlock } from "../chain-store.js";
import { InvalidBlock } from "../errors.js";
import type { ForkSchedule } from "../forks.js";
import type { GenesisBlock } from "../genesis-block.js";
import type { StateStore } from "../state/state-store.js";
import { findHeadChange, type HeadChange } from "./choose-head.js";
import { type Execution, executeBlock, verifyExecution } from "./execute-block.js";
import { verifyBody } from "./verify-body.js";

/** What a chain is imported with. */
export interface ImporterSettings {
  readonly store: KeyValueStore;
  readonly states: StateStore;
  readonly evm: Evm;
  readonly engine: ConsensusEngine;
  readonly forks: ForkSchedule;
}

/** Where a block ended up, and what had to move for it. */
export interface ImportResult extends HeadChange {
  readonly block: SealedBlock;
  /** `known` when it was there already. */
  readonly placement: "head" | "side" | "known";
}

const MAX_ANCESTORS = 256n;
const ZERO_HASH: Hash = `0x${"00".repeat(32)}`;

/**
 * Imports blocks one at a time: verify, execute, choose the head, commit.
 *
 * A block, its state, its indexes and the head are written in one batch; after a crash the head is
 * the old one or the new one.
 */
export class Importer {
  readonly #settings: ImporterSettings;
  readonly #chain: ChainStore;
  /** The end of the queue. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: ImporterSettings) {
    this.#settings = settings;
    this.#chain = new ChainStore(settings.store);
  }

  /** Writes block 0 into an empty database; refuses a database of another chain. */
  async open({ header, state }: GenesisBlock): Promise<SealedHeader> {
    const { store, states } = this.#settings;
    const block = this.#seal({ header, body: emptyBody(header) });
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
    const turn = this.#last.then(() => this.#import(block));
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Commits a block that was built and executed here, after those that were given before it. */
  submit({ block, execution }: { block: Block; execution: Execution }): Promise<ImportResult> {
    const turn = this.#last.then(() => {
      const sealed = this.#seal(block);
      this.#settings.states.add(execution.state);
      return this.#commit(this.#weigh(sealed, execution.receipts));
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** What code in a block can find out about it. */
  contextOf(header: Header): BlockContext {
    const { number, timestamp, gasLimit, difficulty, mixHash, baseFeePerGas, excessBlobGas } =
      header;
    return {
      fork: this.#settings.forks.at(header),
      number,
      timestamp,
      gasLimit,
      difficulty,
      mixHash,
      feeRecipient: this.#settings.engine.feeRecipient(header),
      ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
      ...(excessBlobGas === undefined ? {} : { excessBlobGas }),
      hashOf: (wanted) => this.#findAncestor(header, wanted),
    };
  }

  async #import(given: Block): Promise<ImportResult> {
    const block = this.#seal(given);
    const { header } = block;
    if (this.#chain.findHeader(header.hash) !== undefined) {
      return { block, placement: "known", removed: [], added: [] };
    }
    const parent = this.#chain.findHeader(header.parentHash);
    if (parent === undefined) {
      throw new InvalidBlock(
        "unknown-parent",
        `block ${header.number}: no parent ${header.parentHash}`,
      );
    }
    verifyNumber(header, parent);
    await this.#settings.engine.verifyHeader(header, parent);
    verifyBody(block);
    return this.#commit(await this.#execute(block, parent));
  }

  async #execute(block: SealedBlock, parent: SealedHeader): Promise<ExecutedBlock> {
    const { evm, states, engine, forks } = this.#settings;
    const fork = forks.at(block.header);
    const state = states.open(parent.stateRoot);
    const context = this.contextOf(block.header);
    const execution = await executeBlock(
      { evm, states, state, block: context },
      block.body.transactions,
      () => engine.finalize?.({ block, fork, state }),
    );
    verifyExecution(block.header, execution);
    states.add(execution.state);
    return this.#weigh(block, execution.receipts);
  }

  #weigh(block: SealedBlock, receipts: readonly Receipt[]): ExecutedBlock {
    const { parentHash, difficulty } = block.header;
    const before = this.#chain.findTotalDifficulty(parentHash) ?? 0n;
    return { block, receipts, totalDifficulty: before + difficulty };
  }

  async #commit(executed: ExecutedBlock): Promise<ImportResult> {
    const { store, states } = this.#settings;
    const { block } = executed;
    const change = this.#findChange(executed);
    const batch = store.batch();
    this.#chain.putBlock(batch, executed);
    const release = states.writeTo(batch);
    for (const removed of change?.removed ?? []) this.#chain.removeFromCanonical(batch, removed);
    for (const added of change?.added ?? []) this.#chain.addToCanonical(batch, added);
    if (change !== undefined) this.#chain.setHead(batch, block.header.hash);
    await batch.commit();
    release();
    if (change === undefined) return { block, placement: "side", removed: [], added: [] };
    return { block, placement: "head", ...change };
  }

  /** What moves if the block becomes the head; `undefined` when it does not. */
  #findChange({ block, totalDifficulty }: ExecutedBlock): HeadChange | undefined {
    const header = this.#chain.findHead();
    const head = header === undefined ? undefined : this.#chain.findBlock(header.hash);
    if (head === undefined) return { removed: [], added: [block] };
    const { engine } = this.#settings;
    const weight = this.#chain.findTotalDifficulty(head.header.hash) ?? 0n;
    const isBetter =
      engine.prefers?.(
        { header: block.header, totalDifficulty },
        { header: head.header, totalDifficulty: weight },
      ) ?? totalDifficulty > weight;
    if (!isBetter) return undefined;
    return findHeadChange(head, block, (hash) => this.#chain.findBlock(hash));
  }

  /** Follows parents, because the block may stand on a side branch. */
  #findAncestor(header: Header, number: bigint): Hash {
    if (number >= header.number || number < header.number - MAX_ANCESTORS) return ZERO_HASH;
    let hash = header.parentHash;
    for (let at = header.number - 1n; at > number; at--) {
      hash = this.#chain.findHeader(hash)?.parentHash ?? ZERO_HASH;
    }
    return hash;
  }

  #seal({ header, body }: Block): SealedBlock {
    return { header: sealHeader(header, this.#settings.engine.hashHeader(header)), body };
  }
}

function verifyNumber(header: SealedHeader, parent: SealedHeader): void {
  if (header.number === parent.number + 1n) return;
  throw new InvalidBlock("number", `block ${header.number} does not follow block ${parent.number}`);
}

function emptyBody({ withdrawalsRoot }: Header): Block["body"] {
  const body = { transactions: [], uncles: [] };
  return withdrawalsRoot === undefined ? body : { ...body, withdrawals: [] };
}
