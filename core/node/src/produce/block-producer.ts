import type { Blockchain, LeftOut, OwnBlock, SerialEvm, TransactionPool } from "@plinth/chain";
import type {
  Clock,
  ConsensusEngine,
  Hash,
  Header,
  Logger,
  ProducerHost,
  SealedHeader,
} from "@plinth/core";
import { ConfigError } from "@plinth/core";
import type { BlockOrder, BuildPolicy, BuiltBlock, EngineKey } from "@plinth/core/consensus";
import type { NodeHookGroups } from "@plinth/core/plugin";
import type { Signature } from "@plinth/core/primitives";
import type { HeadFeed } from "./head-feed.js";

/** The dependencies of a block producer. */
export interface BlockProducerSettings {
  readonly blocks: Blockchain;
  readonly pool: TransactionPool;
  readonly heads: HeadFeed;
  readonly engine: ConsensusEngine;
  /** The key the engine signs with; `undefined` if no key driver is loaded. */
  readonly key: EngineKey | undefined;
  /** The EVM of block production. */
  readonly evm: Pick<SerialEvm, "load">;
  readonly building: BuildPolicy;
  readonly clock: Clock;
  readonly log: Logger;
  readonly hooks: Pick<NodeHookGroups, "build" | "consensus">;
}

/** A block built or executed here, with its start and end times. */
interface RememberedBlock {
  readonly result: OwnBlock;
  readonly begun: number;
  readonly ended: number;
}

/**
 * Produces blocks with the engine: built from the pool, sealed by the engine, added to the chain.
 */
export class BlockProducer {
  readonly #settings: BlockProducerSettings;
  readonly #built = new WeakMap<BuiltBlock, RememberedBlock>();

  constructor(settings: BlockProducerSettings) {
    this.#settings = settings;
  }

  /** Lets the engine produce blocks until the signal aborts; `blockMade` is called for each. */
  async produce(signal: AbortSignal, blockMade: () => void): Promise<void> {
    const host: ProducerHost = {
      signal,
      clock: this.#settings.clock,
      chain: this.#settings.blocks,
      head: () => this.#settings.blocks.head(),
      heads: (more) =>
        this.#settings.heads.follow(more === undefined ? signal : AbortSignal.any([signal, more])),
      sign: (hash) => this.#sign(hash),
      hasTransactions: () => this.#settings.pool.hasCandidates(),
      build: (order) => this.#build(order),
      execute: async (block) => {
        const begun = this.#settings.clock.now();
        const result = await this.#settings.blocks.execute(block);
        return this.#remember({ ...result, isProposal: true }, begun);
      },
      submit: async (built, sealed) => {
        const header = await this.#submit(built, sealed);
        blockMade();
        return header;
      },
    };
    const { engine } = this.#settings;
    // If blocks have a schedule, the first one with a transaction does not wait for the EVM to
    // load.
    if (engine.periodMs?.(this.#settings.blocks.head()) !== undefined) this.#loadEvm();
    await engine.produce?.(host);
  }

  /** An EVM that cannot be loaded is reported by the first block that needs it. */
  #loadEvm(): void {
    this.#settings.evm.load().catch(() => {});
  }

  async #sign(hash: Hash): Promise<Signature> {
    const { key } = this.#settings;
    if (key !== undefined) return key.sign(hash);
    throw new ConfigError("NODE_KEY_MISSING", {
      message: "this chain needs a node key to sign blocks; load a plugin with a key driver",
    });
  }

  async #build({ isEmpty = false, ...order }: BlockOrder): Promise<BuiltBlock> {
    const { clock, building, hooks } = this.#settings;
    const { minOccupancy, targetGasLimit, extraData } = building;
    const begun = clock.now();
    const budgetMs = building.budgetMs(order.parent ?? this.#settings.blocks.head());
    const result = await this.#settings.blocks.build({
      extraData,
      ...order,
      ...(targetGasLimit === undefined ? {} : { targetGasLimit }),
      candidates: isEmpty ? [] : this.#settings.pool.candidates(),
      limits: { time: { clock, budgetMs }, minOccupancy, hooks: hooks.build },
      selected: (leftOut) => this.#leaveOut(leftOut),
      refine: (draft, parent) => hooks.build.header.call(draft, { parent }),
    });
    return this.#remember(result, begun);
  }

  async #leaveOut(candidates: readonly LeftOut[]): Promise<void> {
    await this.#settings.pool.leftOut(candidates);
    for (const { transaction, fate, message } of candidates) {
      if (fate === "set-aside") {
        this.#settings.log.warn(`transaction ${transaction.hash} is set aside: ${message}`);
      }
    }
  }

  /** Keeps the execution of a block as long as the engine keeps the block. */
  #remember(result: OwnBlock, begun: number): BuiltBlock {
    const built = { block: result.block };
    this.#built.set(built, { result, begun, ended: this.#settings.clock.now() });
    return built;
  }

  async #submit(built: BuiltBlock, sealed?: Header): Promise<SealedHeader> {
    const remembered = this.#built.get(built);
    if (remembered === undefined)
      throw new TypeError("only a block that was built or executed here can be submitted");
    const { clock, hooks } = this.#settings;
    const { result, begun, ended } = remembered;
    const submitted = clock.now();
    const given = sealed === undefined ? result.block : { ...result.block, header: sealed };
    const { block } = await this.#settings.blocks.submit({ ...result, block: given });
    const timing = {
      buildMs: ended - begun,
      sealMs: submitted - ended,
      commitMs: clock.now() - submitted,
    };
    await hooks.consensus.sealed.call({ block, timing });
    return block.header;
  }
}
