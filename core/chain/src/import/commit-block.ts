import type {
  CommitEvent,
  ConsensusEngine,
  Hash,
  HeadChanged,
  KeyValueStore,
  SealedBlock,
  SealedHeader,
} from "@plinth/core";
import { InvalidBlock } from "@plinth/core";
import type { ChainHooks, HeadChange, HeadChangeCause, ImportOrigin } from "@plinth/core/chain";
import type { WriteBatch } from "@plinth/core/storage";
import { openToPlugins } from "@plinth/core/storage";
import { verifyGenesis } from "../genesis/verify-genesis.js";
import type { StateCommit } from "../state/state-layout.js";
import type { StateUpdate } from "../state/state-root.js";
import type { StateStore } from "../state/state-store.js";
import { BlockPruner } from "../store/block-pruner.js";
import type { ChainStore } from "../store/chain-store.js";
import { chooseHead, findHeadChange } from "./choose-head.js";
import type { Execution } from "./execute-block.js";

/** The dependencies of committing blocks. */
export interface CommitterSettings {
  readonly store: KeyValueStore;
  readonly states: StateStore;
  readonly engine: ConsensusEngine;
  readonly hooks?: ChainHooks;
  /** Number of blocks before the head whose bodies and receipts are kept; `undefined` for all. */
  readonly blocksRetained?: number | undefined;
  /**
   * Notified, and awaited, after every batch that changed the head and before the next one is
   * created.
   */
  readonly headMoved?: (change: HeadChanged) => Promise<void>;
}

/** The result of an import, and its effect on the canonical chain. */
export interface CommitResult extends HeadChange {
  readonly block: SealedBlock;
  readonly placement: "head" | "side";
}

/**
 * Writes blocks: a block, its state, its indexes, the data of plugins and the head are one batch.
 */
export class BlockCommitter {
  readonly #settings: CommitterSettings;
  readonly #chain: ChainStore;
  readonly #pruner: BlockPruner;

  constructor(settings: CommitterSettings, chain: ChainStore) {
    this.#settings = settings;
    this.#chain = chain;
    this.#pruner = new BlockPruner(chain, settings.blocksRetained);
  }

  /** Writes block 0 into an empty database; rejects a database of another chain. */
  async commitGenesis(block: SealedBlock, state: StateUpdate): Promise<void> {
    const { store, states } = this.#settings;
    const { number, hash, difficulty } = block.header;
    verifyGenesis(this.#chain, hash);
    if (this.#chain.findHash(number) === hash) return;
    states.add(state);
    const batch = store.batch();
    this.#chain.putBlock(batch, { block, receipts: [], totalDifficulty: difficulty });
    const change = { removed: [], added: [block] };
    this.#move(batch, block.header, change);
    const release = states.writeTo(batch, stateCommit(block.header, { state, change }));
    await batch.commit();
    release();
  }

  /** Writes an executed block, and makes it the head if the engine prefers it. */
  async commit(
    block: SealedBlock,
    { receipts, results, state }: Pick<Execution, "receipts" | "results" | "state">,
    on: { readonly origin: ImportOrigin; readonly cause?: HeadChangeCause },
  ): Promise<CommitResult> {
    const { store, states, engine } = this.#settings;
    const { origin, cause = "import" } = on;
    const totalDifficulty = this.#chain.weigh(block.header);
    const change = chooseHead(engine, this.#chain, { block, totalDifficulty });
    states.add(state);
    const placement = change === undefined ? "side" : "head";
    const { removed, added } = change ?? { removed: [], added: [] };
    const batch = store.batch();
    const pruned = change === undefined ? [] : this.#pruner.prune(batch, block.header, change);
    const leavesSenders = cause === "follow" && engine.lacksSeal?.(block.header) !== true;
    this.#chain.putBlock(batch, { block, receipts, totalDifficulty, leavesSenders });
    const release = await states.writeInTurns(batch, stateCommit(block.header, { state, change }));
    if (change !== undefined) this.#move(batch, block.header, change);
    await this.#write(batch, { block, receipts, results, placement, added, removed, pruned });
    release();
    await this.#settings.hooks?.imported.call({ block, origin, placement });
    if (change !== undefined) await this.#announce(cause, block.header, change);
    return { block, placement, removed, added };
  }

  /** Makes a known block the head if the engine prefers it: the head may have been rewound. */
  async reconsider(block: SealedBlock): Promise<CommitResult | undefined> {
    const totalDifficulty = this.#chain.findTotalDifficulty(block.header.hash) ?? 0n;
    const change = chooseHead(this.#settings.engine, this.#chain, { block, totalDifficulty });
    return change === undefined ? undefined : this.#moveTo(block, change, "import");
  }

  /** Makes a known block the head, whatever the engine prefers. */
  async setHead(hash: Hash): Promise<CommitResult> {
    const block = this.#chain.findBlock(hash);
    const head = this.#chain.findHeadBlock();
    if (block === undefined || head === undefined) {
      throw new InvalidBlock("unknown-head", `there is no block ${hash} to become the head`);
    }
    const change = findHeadChange(head, block, (wanted) => this.#chain.findBlock(wanted));
    return this.#moveTo(block, change, "rewind");
  }

  /** Rewrites a state. */
  async restore(state: StateUpdate): Promise<void> {
    const { states, store } = this.#settings;
    states.add(state);
    const batch = store.batch();
    const release = states.writeTo(batch);
    await batch.commit();
    release();
  }

  async #moveTo(
    block: SealedBlock,
    change: HeadChange,
    cause: HeadChangeCause,
  ): Promise<CommitResult> {
    const batch = this.#settings.store.batch();
    const pruned = this.#pruner.prune(batch, block.header, change);
    this.#move(batch, block.header, change);
    const commit = stateCommit(block.header, { change });
    const release = await this.#settings.states.writeInTurns(batch, commit);
    await this.#write(batch, { receipts: [], results: [], placement: "head", ...change, pruned });
    release();
    await this.#announce(cause, block.header, change);
    return { block, placement: "head", ...change };
  }

  #move(batch: WriteBatch, head: SealedHeader, { removed, added }: HeadChange): void {
    for (const block of removed) this.#chain.removeFromCanonical(batch, block);
    for (const block of added) this.#chain.addToCanonical(batch, block);
    this.#chain.setHead(batch, head.hash);
  }

  async #write(batch: WriteBatch, event: Omit<CommitEvent, "batch">): Promise<void> {
    const plugins = openToPlugins(batch);
    const { commit } = this.#settings.hooks ?? {};
    if (commit?.isUsed()) await commit.call({ ...event, batch: plugins.batch });
    await batch.commit();
    plugins.committed();
  }

  async #announce(cause: HeadChangeCause, head: SealedHeader, change: HeadChange): Promise<void> {
    await this.#settings.headMoved?.({ cause, head, ...change });
  }
}

function stateCommit(
  header: SealedHeader,
  on: { readonly state?: StateUpdate; readonly change: HeadChange | undefined },
): StateCommit {
  const { state, change } = on;
  const headersOf = (blocks: readonly SealedBlock[]) => blocks.map((block) => block.header);
  const executed = state && { header, state };
  const moved = change && {
    head: header,
    removed: headersOf(change.removed),
    added: headersOf(change.added),
  };
  return { executed, moved };
}
