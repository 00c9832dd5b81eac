import type { Block, Clock, Hash, SealedBlock, SealedHeader } from "@plinth/core";
import { FutureBlock, InvalidBlock } from "@plinth/core";
import type { SenderRecovery } from "@plinth/core/blocks";
import { blockSize, receiptsRoot } from "@plinth/core/blocks";
import type {
  FollowedBlock,
  HeadChange,
  ImportOrigin,
  ImportResult,
  QueuePlace,
} from "@plinth/core/chain";
import { verifyBodyInTurns } from "@plinth/core/rules";
import { type GenesisBlock, genesisBody } from "../genesis/genesis-block.js";
import { unchangedState } from "../state/state-root.js";
import { BadBlocks } from "../store/bad-blocks.js";
import { ChainStore } from "../store/chain-store.js";
import { forkPruned } from "../store/retained-blocks.js";
import { BlockContexts } from "./block-contexts.js";
import { BlockCommitter, type CommitterSettings } from "./commit-block.js";
import { type DeferredBlock, DeferredBlocks } from "./deferred-blocks.js";
import type { Execution } from "./execute-block.js";
import { ImportQueue } from "./import-queue.js";
import { BlockVerifier, type VerifierSettings } from "./verify-block.js";

/** The dependencies of an importer. */
export interface ImporterSettings extends VerifierSettings, CommitterSettings {
  readonly clock: Pick<Clock, "now" | "after">;
  /** Recovers senders ahead of time; without it they are recovered on demand. */
  readonly recovery?: SenderRecovery;
  /** Whether blocks of this node are verified like those of others before they are committed. */
  readonly verifiesOwnBlocks?: boolean;
  /** Notified if a deferred block could not be imported for a reason other than a rule. */
  readonly retryFailed?: (block: SealedBlock, error: unknown) => void;
}

/** A block executed by this node. */
export interface OwnBlock {
  readonly block: Block;
  readonly execution: Execution;
  /** Whether it was proposed by another node: then plugins have validated it. */
  readonly isProposal?: boolean;
}

/** A block with what another node made of it. */
export interface AdoptedBlock extends Pick<Execution, "receipts" | "state"> {
  readonly block: Block;
}

const NOTHING_MOVED: HeadChange = { removed: [], added: [] };

/**
 * Imports blocks one at a time: verify, execute, choose the head, commit, notify.
 *
 * After a crash the head is the old one or the new one. Notifications are in order: those about a
 * block end before the next block is processed.
 */
export class Importer {
  readonly #settings: ImporterSettings;
  readonly #chain: ChainStore;
  readonly #verifier: BlockVerifier;
  readonly #committer: BlockCommitter;
  readonly #deferred: DeferredBlocks;
  readonly queue = new ImportQueue();
  readonly badBlocks = new BadBlocks();
  readonly contexts: BlockContexts;

  constructor(settings: ImporterSettings) {
    this.#settings = settings;
    this.#chain = new ChainStore(settings.store);
    this.contexts = new BlockContexts(settings, this.#chain);
    this.#verifier = new BlockVerifier(settings, this.#chain, this.contexts);
    this.#committer = new BlockCommitter(settings, this.#chain);
    this.#deferred = new DeferredBlocks(settings.clock, (deferred) => this.#retry(deferred));
  }

  /**
   * Writes block 0, whose state is already written, into an empty database; rejects a database of
   * another chain.
   */
  async open({ header }: Pick<GenesisBlock, "header">): Promise<SealedHeader> {
    const block = this.#verifier.seal({ header, body: genesisBody(header) });
    await this.#committer.commitGenesis(block, unchangedState(header.stateRoot));
    return block.header;
  }

  /**
   * Imports a block in turn; rejects with `InvalidBlock`.
   *
   * A block whose parent is unknown or whose time has not come is deferred. Deferred blocks of
   * peers are imported again when they can be validated.
   */
  import(block: Block, place: QueuePlace): Promise<ImportResult> {
    // While earlier blocks are executed.
    const recovered = this.#settings.recovery?.recover(block.body.transactions);
    return this.queue.run({ ...place, bytes: blockSize(block) }, async () => {
      await recovered;
      return this.#import(this.#verifier.seal(block), place);
    });
  }

  /** Verifies a header whose parent is known; rejects with `InvalidBlock`. */
  async verifyHeader(header: SealedHeader): Promise<void> {
    await this.#verifier.verifyHeader(header, this.#getParent(header));
  }

  /**
   * Verifies and executes a proposal; nothing is written. The engine applies its own rules. Rejects
   * with `InvalidBlock`.
   */
  execute(given: Block): Promise<{ readonly block: SealedBlock; readonly execution: Execution }> {
    return this.queue.run({ origin: "own" }, async () => {
      const block = this.#verifier.seal(given);
      const parent = this.#getParent(block.header);
      return { block, execution: await this.#verifier.verify(block, parent, { isProposal: true }) };
    });
  }

  /** Commits a block executed here. */
  submit({ block: given, execution, isProposal = false }: OwnBlock): Promise<ImportResult> {
    return this.queue.run({ origin: "own" }, async () => {
      const block = this.#verifier.seal(given);
      const known = await this.#findKnown(block, "own");
      if (known !== undefined) return known;
      const parent = this.#getParent(block.header);
      if (!isProposal) await this.#verifier.verifyByPlugins(block, parent, execution);
      if (this.#settings.verifiesOwnBlocks === true) await this.#verifier.verifyOwn(block, parent);
      return this.#commit(block, execution, "own");
    });
  }

  /**
   * Commits a block with a body, a state and receipts that its header commits to, without executing it; rejects with `InvalidBlock`
   * if it does not. Other rules, such as the size of a block, do not apply.
   */
  adopt({ block: given, receipts, state }: AdoptedBlock): Promise<ImportResult> {
    return this.queue.run({ origin: "own" }, async () => {
      const block = this.#verifier.seal(given);
      this.#getParent(block.header);
      await verifyBodyInTurns(block, "chain");
      verifyAdopted(block.header, { receiptsRoot: receiptsRoot(receipts), stateRoot: state.root });
      return this.#committer.commit(block, { receipts, results: [], state }, { origin: "own" });
    });
  }

  /** Adds a block that another node executed; rejects with `InvalidBlock`. */
  follow({ block: given, ...reported }: FollowedBlock): Promise<ImportResult> {
    const { engine, recovery } = this.#settings;
    const isUnsealed = engine.lacksSeal?.(given.header) === true;
    const recovered = isUnsealed ? recovery?.recover(given.body.transactions) : undefined;
    return this.queue.run({ origin: "sync", bytes: blockSize(given) }, async () => {
      await recovered;
      const block = this.#verifier.seal(given);
      const parent = this.#getParent(block.header);
      const execution = await this.#verifier.verifyFollowed({ block, ...reported }, parent);
      return this.#committer.commit(block, execution, { origin: "sync", cause: "follow" });
    });
  }

  /** Makes a known block the head, whatever the engine prefers. */
  setHead(hash: Hash): Promise<ImportResult> {
    return this.queue.run({ origin: "own" }, () => this.#committer.setHead(hash));
  }

  /**
   * Re-executes a known block on the state of its parent; throws `InvalidBlock` if the result
   * differs.
   */
  async rerun(block: SealedBlock): Promise<Execution> {
    const parent = this.#getParent(block.header);
    return this.#verifier.execute(block, this.#settings.states.open(parent));
  }

  /** Re-executes a block of the chain and rewrites the state after it, in turn with imports. */
  rebuild(block: SealedBlock): Promise<void> {
    return this.queue.run({ origin: "own" }, async () =>
      this.#committer.restore((await this.rerun(block)).state),
    );
  }

  /** Rewrites the tries of the head, in turn with imports. */
  async *rebuildTries(signal?: AbortSignal): AsyncGenerator<SealedHeader, undefined> {
    const rebuilt = await this.queue.run({ origin: "own" }, async () => {
      const head = this.#chain.findHead();
      if (head !== undefined) await this.#settings.states.rebuildTries(head, signal);
      return head;
    });
    if (rebuilt !== undefined) yield rebuilt;
  }

  /** Rewrites the state of block 0, in turn with imports. */
  restore(state: GenesisBlock["state"]): Promise<void> {
    return this.queue.run({ origin: "own" }, () => state.rewrite());
  }

  /** Drops the blocks that wait for their parents or their time. */
  close(): void {
    this.#deferred.close();
  }

  async #import(block: SealedBlock, { origin, signal }: QueuePlace): Promise<ImportResult> {
    const known = await this.#findKnown(block, origin);
    if (known !== undefined) return known;
    const parent = this.#chain.findHeader(block.header.parentHash);
    if (parent === undefined) return this.#defer({ block, origin }, "parent");
    this.#verifyRetained(block.header);
    try {
      const execution = await this.#verifier.verify(block, parent);
      signal?.throwIfAborted();
      return await this.#commit(block, execution, origin);
    } catch (error) {
      if (error instanceof FutureBlock) {
        return await this.#defer({ block, origin }, "time", error.acceptableAtMs);
      }
      if (error instanceof InvalidBlock) this.#reject(block, error, origin);
      throw error;
    }
  }

  /** The stored, verified block: another body or seal may have the same hash. */
  async #findKnown(
    { header: { hash }, body }: SealedBlock,
    origin: ImportOrigin,
  ): Promise<ImportResult | undefined> {
    const header = this.#chain.findHeader(hash);
    if (header !== undefined && this.#chain.isPruned(header.number)) {
      await this.#verifier.verifyAlone({ header, body });
      return { block: { header, body }, placement: "known", ...NOTHING_MOVED };
    }
    const known = this.#chain.findBlock(hash);
    if (known === undefined) return undefined;
    try {
      const moved = await this.#committer.reconsider(known);
      return moved ?? { block: known, placement: "known", ...NOTHING_MOVED };
    } catch (error) {
      if (error instanceof InvalidBlock) this.#reject(known, error, origin);
      throw error;
    }
  }

  /** Throws if a block forks off before the bodies that are kept: it could never become the head. */
  #verifyRetained({ number }: SealedHeader): void {
    const first = this.#chain.firstRetained();
    if (first > 0n && number <= first) throw forkPruned(number, first);
  }

  async #commit(
    block: SealedBlock,
    execution: Execution,
    origin: ImportOrigin,
  ): Promise<ImportResult> {
    const result = await this.#committer.commit(block, execution, { origin });
    this.#deferred.imported(block);
    return result;
  }

  /** Remembers a block that breaks a rule, but not one that failed by a fault of the node. */
  #reject(block: SealedBlock, error: InvalidBlock, origin: ImportOrigin): void {
    this.badBlocks.add({ block, error });
    this.#settings.hooks?.badBlock.call({ block, error, origin });
  }

  async #defer(
    deferred: DeferredBlock,
    awaits: "parent" | "time",
    atMs = 0,
  ): Promise<ImportResult> {
    const { block, origin } = deferred;
    try {
      await this.#verifier.verifyAlone(block);
    } catch (error) {
      if (error instanceof InvalidBlock) this.#reject(block, error, origin);
      throw error;
    }
    const isHeld = origin === "peer" || origin === "sync";
    if (isHeld && awaits === "parent") this.#deferred.awaitParent(deferred);
    if (isHeld && awaits === "time") this.#deferred.awaitTime(deferred, atMs);
    return { block, placement: "deferred", awaits, ...NOTHING_MOVED };
  }

  /** Imports a deferred block again; its sender has got a response. */
  #retry({ block, origin }: DeferredBlock): void {
    this.import(block, { origin }).catch((error: unknown) => {
      if (!(error instanceof InvalidBlock)) this.#settings.retryFailed?.(block, error);
    });
  }

  #getParent({ number, parentHash }: SealedHeader): SealedHeader {
    const parent = this.#chain.findHeader(parentHash);
    if (parent !== undefined) return parent;
    throw new InvalidBlock("unknown-parent", `block ${number}: no parent ${parentHash}`);
  }
}

function verifyAdopted(
  { number, ...header }: SealedHeader,
  found: Pick<SealedHeader, "receiptsRoot" | "stateRoot">,
): void {
  for (const key of ["receiptsRoot", "stateRoot"] as const) {
    if (found[key] === header[key]) continue;
    throw new InvalidBlock(
      "adopted",
      `block ${number}: ${key} is ${header[key]}, not ${found[key]}`,
    );
  }
}
