import type { CallLimits, PoolContext, PoolSettings } from "@plinth/chain";
import {
  Blockchain,
  beginNow,
  ChainStore,
  convertIfWanted,
  EvmPool,
  type GenesisState,
  genesisBody,
  openStates,
  PoolRecord,
  readGenesisHeader,
  type StateSettings,
  serialEvm,
  TransactionPool,
  verifyGenesis,
  verifyNotJoining,
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
import { type SenderRecovery, sealHeader } from "@plinth/core/blocks";
import type { BuildPolicy, EngineKey, MiningSettings } from "@plinth/core/consensus";
import type { Evm, EvmPurpose } from "@plinth/core/evm";
import type { Genesis } from "@plinth/core/genesis";
import type { NamedHealth } from "@plinth/core/kernel";
import type { NodeHookGroups } from "@plinth/core/plugin";
import { CORE } from "../plugin/prepare.js";
import { BlockProducer } from "../produce/block-producer.js";
import { HeadFeed } from "../produce/head-feed.js";
import { checkHead } from "./head-health.js";
import { joinIfWanted, type OfferedJoin } from "./join-if-wanted.js";
import { reportReorganization } from "./report-reorganization.js";

/** The dependencies of a ledger. */
export interface LedgerSettings {
  readonly genesis: Genesis;
  /** The state of its block 0. */
  readonly genesisState: GenesisState;
  readonly store: KeyValueStore;
  /** Fills an empty database; `undefined` to begin with block 0. */
  readonly join: OfferedJoin | undefined;
  /** Ends long work on the database. */
  readonly signal: AbortSignal;
  readonly states: StateSettings;
  /** Number of blocks before the head whose bodies and receipts are kept; `undefined` for all. */
  readonly blocksRetained: number | undefined;
  readonly engine: ConsensusEngine;
  /** The key the engine signs with; `undefined` if no key driver is loaded. */
  readonly key: EngineKey | undefined;
  readonly recovery: SenderRecovery;
  readonly clock: Clock;
  readonly pool: PoolSettings;
  readonly findProofVerifier: PoolContext["findProofVerifier"];
  /** Whether the pool is persisted in the database. */
  readonly keepsPool: boolean;
  readonly log: Logger;
  readonly building: BuildPolicy;
  /** Whether this node produces blocks by itself. */
  readonly producesAtStart: boolean;
  readonly mining: MiningSettings;
  /** The plugins whose engines it uses. */
  readonly enginePlugins: readonly string[];
  /** Whether this node may produce blocks. */
  readonly canProduce: boolean;
  /** Whether blocks of this node are verified like those of others before they are committed. */
  readonly verifiesOwnBlocks: boolean;
  /** Reorganizations that remove more blocks are logged as warnings. */
  readonly reorgLoggingThreshold: number;
  /** Whether no finalized block is reported to callers. */
  readonly hidesFinality: boolean;
  readonly callLimits: CallLimits;
  readonly createEvm: (purpose: EvmPurpose) => Promise<Evm>;
  readonly hooks: Pick<NodeHookGroups, "chain" | "pool" | "build" | "evm" | "consensus">;
}

/** Each keeps a block's changes in memory, and all of them share a thread. */
const MAX_REPLAYS = 4;

/** Owns the blockchain and the pool, and drives block production. */
export class Ledger {
  readonly blocks: Blockchain;
  readonly pool: TransactionPool;
  /** Produces blocks if this node may. */
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
    const stored = new ChainStore(store);
    const beginning = { chain: stored, nowMs: clock.now() };
    const genesis = engine.beginsNow === true ? beginNow(json, beginning) : json;
    const header = readGenesisHeader(genesis, { forks, origin });
    const evm = serialEvm(() => createEvm("block"));
    const { genesisState: state } = settings;
    // The database of another chain is left unchanged.
    const isNew = stored.isEmpty();
    const beginsHere = isNew && settings.join === undefined;
    if (beginsHere) verifyNotJoining(store);
    const stateRoot = beginsHere ? await state.create() : await state.findRoot();
    const genesisHash = engine.hashHeader({ ...header, stateRoot });
    verifyGenesis(stored, genesisHash);
    const first = sealHeader({ ...header, stateRoot }, genesisHash);
    await joinIfWanted({
      ...settings,
      genesis: { header: first, body: genesisBody(first) },
      json: settings.genesis.json,
      chainId: chainId ?? 1n,
    });
    if (isNew && !beginsHere && stored.isEmpty()) await state.create();
    await convertIfWanted(store, settings.states, settings);
    const states = openStates(store, {
      ...settings.states,
      onOtherFormat: (message) => settings.log.warn(message),
    });
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
      blocksRetained: settings.blocksRetained,
      callLimits: settings.callLimits,
      headMoved,
      retryFailed: ({ header: { number, hash } }: SealedBlock, error: unknown) =>
        settings.log.warn(`block ${number} (${hash}) could not be imported: ${messageOf(error)}`, {
          error,
        }),
    };
    const blocks = await Blockchain.open(chain, { header: { ...header, stateRoot }, state });
    await state.record(stateRoot);
    const pool: TransactionPool = new TransactionPool({
      settings: settings.pool,
      floor: settings.building,
      record: new PoolRecord(settings.keepsPool ? store : await createMemoryStore()),
      hooks: hooks.pool,
      findProofVerifier: settings.findProofVerifier,
      recovery,
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

  /** The operator's settings of blocks built by this node. */
  get building(): BuildPolicy {
    return this.#settings.building;
  }

  /** The plugins whose engines it uses. */
  get enginePlugins(): readonly string[] {
    return this.#settings.enginePlugins;
  }

  /** The operator's settings of block production. */
  get mining(): MiningSettings {
    return this.#settings.mining;
  }

  /** Releases everything but the database. */
  async close(): Promise<void> {
    this.blocks.close();
    await this.pool.close();
  }

  /** Whether blocks arrive at the intended interval, if there is one. */
  health(): readonly NamedHealth[] {
    const { engine, clock } = this.#settings;
    const head = this.blocks.head();
    const periodMs = engine.periodMs?.(head);
    if (periodMs === undefined) return [];
    // No transactions to include is not a problem.
    if (engine.makesEmptyBlocks?.(head) === false && !this.pool.hasCandidates()) return [];
    const longestMs = Math.max(periodMs, engine.emptyPeriodMs?.(head) ?? 0);
    const age = { head, periodMs: longestMs, startedAt: this.#openedAt, now: clock.now() };
    // Pending transactions should not wait as long as an empty block.
    const since = longestMs > periodMs ? this.pool.waitingSince() : undefined;
    const waiting =
      since === undefined ? age : { ...age, periodMs, startedAt: Math.max(this.#openedAt, since) };
    const found = [checkHead(waiting), checkHead(age)].find(({ status }) => status !== "up");
    return [{ plugin: CORE, name: "head", ...(found ?? checkHead(age)) }];
  }

  /** Whether this node may produce blocks. */
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
