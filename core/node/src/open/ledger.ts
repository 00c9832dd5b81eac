import type { PoolContext, PoolSettings } from "@plinth/chain";
import {
  Blockchain,
  beginNow,
  buildGenesisBlock,
  ChainStore,
  EvmPool,
  PoolRecord,
  StateStore,
  serialEvm,
  TransactionPool,
} from "@plinth/chain";
import type {
  Clock,
  ConsensusEngine,
  HeadChanged,
  KeyValueStore,
  Logger,
  SealedBlock,
} from "@plinth/core";
import { createMemoryStorageDriver, loadCrypto, messageOf } from "@plinth/core";
import type { SenderRecovery } from "@plinth/core/blocks";
import type { BuildPolicy, EngineKey, MiningSettings } from "@plinth/core/consensus";
import type { Evm, EvmPurpose } from "@plinth/core/evm";
import type { Genesis } from "@plinth/core/genesis";
import type { NamedHealth } from "@plinth/core/kernel";
import type { NodeHookGroups } from "@plinth/core/plugin";
import { CORE } from "../plugin/prepare.js";
import { BlockProducer } from "../produce/block-producer.js";
import { HeadFeed } from "../produce/head-feed.js";
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

/** Each keeps a block's changes in memory, and all of them share a thread. */
const MAX_REPLAYS = 4;

/** Owns the blockchain and the pool, and drives block production. */
export class Ledger {
  readonly blocks: Blockchain;
  readonly pool: TransactionPool;
  /** Makes blocks where this node may. */
  readonly producer: BlockProducer;
  readonly #settings: LedgerSettings;
  readonly #openedAt: number;

  private constructor(
    settings: LedgerSettings,
    parts: Pick<Ledger, "blocks" | "pool" | "producer">,
  ) {
    this.#settings = settings;
    this.#openedAt = settings.clock.now();
    this.blocks = parts.blocks;
    this.pool = parts.pool;
    this.producer = parts.producer;
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
    const { key, building, log } = settings;
    const producer = new BlockProducer({
      blocks,
      pool,
      heads,
      engine,
      key,
      evm,
      building,
      clock,
      log,
      hooks,
    });
    return new Ledger(settings, { blocks, pool, producer });
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
}

function createMemoryStore(): Promise<KeyValueStore> {
  return createMemoryStorageDriver().open({ folder: "" });
}
