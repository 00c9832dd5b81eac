import type { LeftOut, OwnBlock, PoolContext, PoolSettings } from "@plinth/chain";
import {
  Blockchain,
  beginNow,
  buildGenesisBlock,
  ChainStore,
  EvmPool,
  PoolRecord,
  type SerialEvm,
  StateStore,
  serialEvm,
  TransactionPool,
} from "@plinth/chain";
import type {
  Clock,
  ConsensusEngine,
  Hash,
  HeadChanged,
  Header,
  KeyValueStore,
  Logger,
  ProducerHost,
  SealedBlock,
  SealedHeader,
} from "@plinth/core";
import { ConfigError, createMemoryStorageDriver, loadCrypto, messageOf } from "@plinth/core";
import type { SenderRecovery } from "@plinth/core/blocks";
import type {
  BlockOrder,
  BuildPolicy,
  BuiltBlock,
  EngineKey,
  MiningSettings,
} from "@plinth/core/consensus";
import type { Evm, EvmPurpose } from "@plinth/core/evm";
import type { Genesis } from "@plinth/core/genesis";
import type { NamedHealth } from "@plinth/core/kernel";
import type { NodeHookGroups } from "@plinth/core/plugin";
import type { Signature } from "@plinth/core/primitives";
import { CORE } from "../plugin/prepare.js";
import { HeadFeed } from "./head-feed.js";
import { checkHead } from "./head-health.js";
import { reportReorganization } from "./report-reorganization.js";

/** What a ledger is opened with. */
export interface LedgerSettings {
  readonly genesis: Genesis;
  readonly store: KeyValueStore;
  readonly engine: ConsensusEngine;
  /** The key that the engine signs with; none when no key driver is loaded. */
  readonly key: EngineKey | undefined;
  readonly recovery: SenderRecovery;
  readonly clock: Clock;
  readonly pool: PoolSettings;
  readonly findProofVerifier: PoolContext["findProofVerifier"];
  /** Whether the pool is read from the database and written to it. */
  readonly keepsPool: boolean;
  readonly log: Logger;
  readonly building: BuildPolicy;
  /** Whether this node produces blocks by itself. */
  readonly producesAtStart: boolean;
  readonly mining: MiningSettings;
  /** The plugins whose engines it uses. */
  readonly enginePlugins: readonly string[];
  /** Whether this node may make blocks. */
  readonly canProduce: boolean;
  /** Whether blocks of this node are verified like those of others before they are committed. */
  readonly verifiesOwnBlocks: boolean;
  /** Reorganizations that remove more blocks are logged as warnings. */
  readonly reorgLoggingThreshold: number;
  /** Whether callers learn of no final block. */
  readonly hidesFinality: boolean;
  readonly createEvm: (purpose: EvmPurpose) => Promise<Evm>;
  readonly hooks: Pick<NodeHookGroups, "chain" | "pool" | "build" | "evm" | "consensus">;
}

/** A block that was built or executed here, and when that began and ended. */
interface RememberedBlock {
  readonly result: OwnBlock;
  readonly begun: number;
  readonly ended: number;
}

/** Each keeps a block's changes in memory, and all of them share a thread. */
const MAX_REPLAYS = 4;

/** Blocks and pool together: what is sent waits here, and what is made goes onto the chain. */
export class Ledger {
  readonly blocks: Blockchain;
  readonly pool: TransactionPool;
  readonly #settings: LedgerSettings;
  readonly #openedAt: number;
  readonly #built = new WeakMap<BuiltBlock, RememberedBlock>();
  readonly #heads: HeadFeed;
  readonly #evm: SerialEvm;

  private constructor(
    settings: LedgerSettings,
    {
      blocks,
      pool,
      heads,
      evm,
    }: { blocks: Blockchain; pool: TransactionPool; heads: HeadFeed; evm: SerialEvm },
  ) {
    this.#settings = settings;
    this.#evm = evm;
    this.#openedAt = settings.clock.now();
    this.blocks = blocks;
    this.pool = pool;
    this.#heads = heads;
  }

  /** Opens the chain of a genesis file in a database. */
  static async open(settings: LedgerSettings): Promise<Ledger> {
    await loadCrypto();
    const { store, engine, recovery, createEvm, hooks, clock } = settings;
    const { json, origin, forks, chainId } = settings.genesis;
    const beginning = { chain: new ChainStore(store), nowMs: clock.now() };
    const genesis = engine.beginsNow === true ? beginNow(json, beginning) : json;
    const states = new StateStore(store);
    const evm = serialEvm(() => createEvm("block"));
    const block = buildGenesisBlock(genesis, { forks, states, origin });
    const callEvm = serialEvm(() => createEvm("call"));
    const pluginEvm = serialEvm(() => createEvm("plugin"));
    const replayEvms = new EvmPool(() => createEvm("trace"), MAX_REPLAYS);
    const headMoved = async (change: HeadChanged) => {
      heads.announce();
      reportReorganization(change, {
        threshold: settings.reorgLoggingThreshold,
        log: settings.log,
      });
      await pool.headMoved(change);
      await hooks.chain.headChanged.call(change);
    };
    const chain = {
      store,
      states,
      engine,
      forks,
      evm,
      callEvm,
      pluginEvm,
      replayEvms,
      recovery,
      clock,
      hooks: hooks.chain,
      verifiesOwnBlocks: settings.verifiesOwnBlocks,
      hidesFinality: settings.hidesFinality,
      headMoved,
      retryFailed: ({ header: { number, hash } }: SealedBlock, error: unknown) =>
        settings.log.warn(`block ${number} (${hash}) could not be imported: ${messageOf(error)}`, {
          error,
        }),
    };
    const blocks = await Blockchain.open(chain, block);
    const pool: TransactionPool = new TransactionPool({
      settings: settings.pool,
      floor: settings.building,
      record: new PoolRecord(settings.keepsPool ? store : await createMemoryStore()),
      hooks: hooks.pool,
      findProofVerifier: settings.findProofVerifier,
      blocks,
      forks,
      chainId,
      clock,
    });
    const heads = new HeadFeed(() => blocks.head());
    return new Ledger(settings, { blocks, pool, heads, evm });
  }

  /** What the operator says about the blocks of this node. */
  get building(): BuildPolicy {
    return this.#settings.building;
  }

  /** The plugins whose engines it uses. */
  get enginePlugins(): readonly string[] {
    return this.#settings.enginePlugins;
  }

  /** What the operator says about making blocks. */
  get mining(): MiningSettings {
    return this.#settings.mining;
  }

  /** Lets go of everything but the database. */
  async close(): Promise<void> {
    this.blocks.close();
    await this.pool.close();
  }

  /** Whether blocks come as they are meant to, where anything is meant. */
  health(): readonly NamedHealth[] {
    const { engine, clock } = this.#settings;
    const head = this.blocks.head();
    const periodMs = engine.periodMs?.(head);
    if (periodMs === undefined) return [];
    // Nothing to make a block of is no trouble.
    if (engine.makesEmptyBlocks?.(head) === false && !this.pool.hasCandidates()) return [];
    const longestMs = Math.max(periodMs, engine.emptyPeriodMs?.(head) ?? 0);
    const age = { head, periodMs: longestMs, startedAt: this.#openedAt, now: clock.now() };
    // What waits is not to wait as long as an empty block.
    const since = longestMs > periodMs ? this.pool.waitingSince() : undefined;
    const waiting =
      since === undefined ? age : { ...age, periodMs, startedAt: Math.max(this.#openedAt, since) };
    const found = [checkHead(waiting), checkHead(age)].find(({ status }) => status !== "up");
    return [{ plugin: CORE, name: "head", ...(found ?? checkHead(age)) }];
  }

  /** Whether this node may make blocks. */
  get canProduce(): boolean {
    return this.#settings.canProduce;
  }

  /** Whether this node produces blocks by itself. */
  get producesAtStart(): boolean {
    return this.#settings.producesAtStart;
  }

  /** Lets the engine make blocks until the signal aborts; `blockMade` is called for each. */
  async produce(signal: AbortSignal, blockMade: () => void): Promise<void> {
    const host: ProducerHost = {
      signal,
      clock: this.#settings.clock,
      chain: this.blocks,
      head: () => this.blocks.head(),
      heads: (more) =>
        this.#heads.follow(more === undefined ? signal : AbortSignal.any([signal, more])),
      sign: (hash) => this.#sign(hash),
      hasTransactions: () => this.pool.hasCandidates(),
      build: (order) => this.#build(order),
      execute: async (block) => {
        const begun = this.#settings.clock.now();
        const result = await this.blocks.execute(block);
        return this.#remember({ ...result, isProposal: true }, begun);
      },
      submit: async (built, sealed) => {
        const header = await this.#submit(built, sealed);
        blockMade();
        return header;
      },
    };
    const { engine } = this.#settings;
    // Where a block is due at a time, the first with a transaction does not wait until the EVM is loaded.
    if (engine.periodMs?.(this.blocks.head()) !== undefined) this.#loadEvm();
    await engine.produce?.(host);
  }

  /** One that cannot be loaded is reported by the first block that needs it. */
  #loadEvm(): void {
    this.#evm.load().catch(() => {});
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
    const budgetMs = building.budgetMs(order.parent ?? this.blocks.head());
    const result = await this.blocks.build({
      extraData,
      ...order,
      ...(targetGasLimit === undefined ? {} : { targetGasLimit }),
      candidates: isEmpty ? [] : this.pool.candidates(),
      limits: { time: { clock, budgetMs }, minOccupancy, hooks: hooks.build },
      selected: (leftOut) => this.#leaveOut(leftOut),
      refine: (draft, parent) => hooks.build.header.call(draft, { parent }),
    });
    return this.#remember(result, begun);
  }

  async #leaveOut(candidates: readonly LeftOut[]): Promise<void> {
    await this.pool.leftOut(candidates);
    for (const { transaction, fate, message } of candidates) {
      if (fate === "set-aside") {
        this.#settings.log.warn(`transaction ${transaction.hash} is set aside: ${message}`);
      }
    }
  }

  /** Keeps how a block ran as long as the engine keeps the block. */
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
    const { block } = await this.blocks.submit({ ...result, block: given });
    const timing = {
      buildMs: ended - begun,
      sealMs: submitted - ended,
      commitMs: clock.now() - submitted,
    };
    await hooks.consensus.sealed.call({ block, timing });
    return block.header;
  }
}

function createMemoryStore(): Promise<KeyValueStore> {
  return createMemoryStorageDriver().open({ folder: "" });
}
