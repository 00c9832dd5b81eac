import type { Header, SealedHeader } from "../blocks/header.js";
import type { SenderRecovery } from "../blocks/sender-recovery.js";
import { decodeTransaction, type Transaction } from "../blocks/transaction.js";
import { nextBaseFee } from "../chain/base-fee.js";
import { Blockchain } from "../chain/blockchain.js";
import type { BuildResult } from "../chain/build/block-builder.js";
import { ChainStore } from "../chain/chain-store.js";
import type { ForkSchedule } from "../chain/forks.js";
import { buildGenesisBlock } from "../chain/genesis-block.js";
import type { HeadChanged } from "../chain/hooks.js";
import { StateStore } from "../chain/state/state-store.js";
import type { BlockOrder, BuiltBlock, ConsensusEngine, ProducerHost } from "../consensus/engine.js";
import type { Evm } from "../evm/evm.js";
import { EvmPool } from "../evm/evm-pool.js";
import type { EvmPurpose } from "../evm/hooks.js";
import { serialEvm } from "../evm/serial-evm.js";
import type { Clock } from "../kernel/clock.js";
import { TransactionPool } from "../pool/pool.js";
import { loadCrypto } from "../primitives/crypto.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { KeyValueStore } from "../storage/store.js";
import type { NodeHookGroups } from "./hooks.js";

/** What running code sees of the pool. */
export interface Pool {
  /**
   * Takes a transaction; throws `InvalidTransaction` or `RejectedTransaction`.
   *
   * With a sender its signature is not looked at: whoever calls answers for it.
   */
  submit(raw: Uint8Array, sender?: Address): Transaction;
  /** Takes a transaction out. */
  remove(hash: Hash): void;
  find(hash: Hash): Transaction | undefined;
  all(): readonly Transaction[];
  /** The nonce of a sender's next transaction, with those that wait. */
  nextNonce(sender: Address): bigint;
}

/** What a ledger is opened with. */
export interface LedgerSettings {
  readonly genesis: object;
  readonly origin: string;
  readonly chainId: bigint | undefined;
  readonly forks: ForkSchedule;
  readonly store: KeyValueStore;
  readonly engine: ConsensusEngine;
  readonly recovery: SenderRecovery;
  readonly clock: Clock;
  /** Whether this node makes blocks without being told to. */
  readonly producesAtStart: boolean;
  /** Whether this node may make blocks. */
  readonly canProduce: boolean;
  readonly createEvm: (purpose: EvmPurpose) => Promise<Evm>;
  readonly hooks: Pick<NodeHookGroups, "chain" | "pool" | "evm" | "consensus">;
}

/** Enough for a development chain; options follow with the pool's own issue. */
const LIMITS = { maxTransactions: 4096, maxNonceGap: 200, priceBumpPercent: 10 };

/** Each keeps a block's changes in memory, and all of them share a thread. */
const MAX_REPLAYS = 4;

/** EIP-1559: integer arithmetic keeps the base fee from falling below this many wei. */
const LEAST_BASE_FEE = 7n;

/** Blocks and pool together: what is sent waits here, and what is made goes onto the chain. */
export class Ledger implements Pool {
  readonly blocks: Blockchain;
  readonly #settings: LedgerSettings;
  readonly #pool: TransactionPool;
  readonly #isFree: boolean;
  readonly #built = new WeakMap<BuiltBlock, BuildResult>();

  private constructor(settings: LedgerSettings, blocks: Blockchain, pool: TransactionPool) {
    this.#settings = settings;
    this.#pool = pool;
    this.blocks = blocks;
    this.#isFree = blocks.findHeader(0n)?.baseFeePerGas === 0n;
  }

  /** Opens the chain of a genesis file in a database. */
  static async open(settings: LedgerSettings): Promise<Ledger> {
    await loadCrypto();
    const { origin, forks, store, engine, recovery, createEvm, hooks, clock } = settings;
    const genesis = engine.beginsNow === true ? beginNow(settings) : settings.genesis;
    const states = new StateStore(store);
    const evm = serialEvm(() => createEvm("block"));
    const block = buildGenesisBlock(genesis, { forks, states, origin });
    const callEvm = serialEvm(() => createEvm("call"));
    const pluginEvm = serialEvm(() => createEvm("plugin"));
    const replayEvms = new EvmPool(() => createEvm("call"), MAX_REPLAYS);
    const pool = new TransactionPool(LIMITS);
    const headMoved = async (change: HeadChanged) => {
      pool.prune(blocks.stateAt(change.head));
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
      headMoved,
    };
    const blocks: Blockchain = await Blockchain.open(chain, block);
    return new Ledger(settings, blocks, pool);
  }

  /** Whether this node may make blocks. */
  get canProduce(): boolean {
    return this.#settings.canProduce;
  }

  /** Whether this node makes blocks without being told to. */
  get producesAtStart(): boolean {
    return this.#settings.producesAtStart;
  }

  submit(raw: Uint8Array, sender?: Address): Transaction {
    const transaction = decodeTransaction(raw, sender);
    const head = this.blocks.head();
    const { chainId, hooks } = this.#settings;
    const rules = { chainId, blockGasLimit: head.gasLimit, minFee: this.#minFee(head) };
    this.#pool.add(transaction, this.blocks.stateAt(head), rules);
    hooks.pool.added.call({ transaction });
    return transaction;
  }

  remove(hash: Hash): void {
    this.#pool.remove(hash);
  }

  find(hash: Hash): Transaction | undefined {
    return this.#pool.find(hash);
  }

  all(): readonly Transaction[] {
    return this.#pool.all();
  }

  nextNonce(sender: Address): bigint {
    return this.#pool.nextNonce(sender, this.blocks.stateAt(this.blocks.head()));
  }

  /** Lets the engine make blocks until the signal aborts. */
  async produce(signal: AbortSignal): Promise<void> {
    const host: ProducerHost = {
      signal,
      clock: this.#settings.clock,
      chain: this.blocks,
      head: () => this.blocks.head(),
      hasTransactions: () => this.#candidates().next().done !== true,
      build: (order) => this.#build(order),
      submit: (built, sealed) => this.#submit(built, sealed),
    };
    await this.#settings.engine.produce?.(host);
  }

  async #build({ isEmpty = false, ...order }: BlockOrder): Promise<BuiltBlock> {
    const candidates = isEmpty ? [] : this.#candidates();
    const result = await this.blocks.build({ ...order, candidates });
    for (const { hash } of result.unusable) this.#pool.remove(hash);
    const built = { block: result.block };
    this.#built.set(built, result);
    return built;
  }

  async #submit(built: BuiltBlock, sealed?: Header): Promise<SealedHeader> {
    const result = this.#built.get(built);
    if (result === undefined)
      throw new TypeError("only a block that was built here can be submitted");
    const block = sealed === undefined ? result.block : { ...result.block, header: sealed };
    return (await this.blocks.submit({ ...result, block })).block.header;
  }

  /** None where fees are free from the beginning, and before London. */
  #minFee({ baseFeePerGas }: SealedHeader): bigint {
    return baseFeePerGas === undefined || this.#isFree ? 0n : LEAST_BASE_FEE;
  }

  #candidates(): Generator<Transaction> {
    const head = this.blocks.head();
    return this.#pool.candidates(this.blocks.stateAt(head), baseFeeAfter(head));
  }
}

/** What a transaction must pay at least in the next block. */
function baseFeeAfter(head: SealedHeader): bigint {
  return head.baseFeePerGas === undefined ? 0n : nextBaseFee(head);
}

/** The genesis file with the time of now, or that of the chain when there is one already. */
function beginNow({ genesis, store, clock }: LedgerSettings): object {
  const chain = new ChainStore(store);
  const first = chain.findHeader(chain.findHash(0n) ?? "0x");
  const timestamp = first?.timestamp ?? BigInt(Math.floor(clock.now() / 1000));
  return { ...genesis, timestamp: `0x${timestamp.toString(16)}` };
}
