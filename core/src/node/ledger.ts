import type { SealedHeader } from "../blocks/header.js";
import { decodeTransaction, type Transaction } from "../blocks/transaction.js";
import { nextBaseFee } from "../chain/base-fee.js";
import { Blockchain } from "../chain/blockchain.js";
import type { BuildResult } from "../chain/build/block-builder.js";
import { readForks } from "../chain/forks.js";
import { buildGenesisBlock } from "../chain/genesis-block.js";
import type { ImportResult } from "../chain/import/importer.js";
import { StateStore } from "../chain/state/state-store.js";
import type { BuiltBlock, ConsensusEngine, ProducerHost } from "../consensus/engine.js";
import type { Evm } from "../evm/evm.js";
import { serialEvm } from "../evm/serial-evm.js";
import type { Clock } from "../kernel/clock.js";
import { TransactionPool } from "../pool/pool.js";
import { loadCrypto } from "../primitives/crypto.js";
import type { Address, Hash } from "../primitives/hex.js";
import type { KeyValueStore } from "../storage/store.js";
import type { NodeHookGroups } from "./hooks.js";

/** What running code sees of the pool. */
export interface Pool {
  /** Takes a signed transaction; throws `InvalidTransaction` or `RejectedTransaction`. */
  submit(raw: Uint8Array): Transaction;
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
  readonly store: KeyValueStore;
  readonly engine: ConsensusEngine;
  readonly createEvm: () => Promise<Evm>;
  readonly hooks: Pick<NodeHookGroups, "chain" | "pool">;
}

/** Enough for a development chain; options follow with the pool's own issue. */
const LIMITS = { maxTransactions: 4096, maxNonceGap: 200, priceBumpPercent: 10 };

/** Blocks and pool together: what is sent waits here, and what is made goes onto the chain. */
export class Ledger implements Pool {
  readonly blocks: Blockchain;
  readonly #settings: LedgerSettings;
  readonly #pool = new TransactionPool(LIMITS);
  readonly #built = new WeakMap<BuiltBlock, BuildResult>();
  #wake: () => void = () => {};

  private constructor(settings: LedgerSettings, blocks: Blockchain) {
    this.#settings = settings;
    this.blocks = blocks;
  }

  /** Opens the chain of a genesis file in a database. */
  static async open(settings: LedgerSettings): Promise<Ledger> {
    await loadCrypto();
    const { genesis, origin, store, engine, createEvm } = settings;
    const forks = readForks(Reflect.get(genesis, "config"));
    const states = new StateStore(store);
    const evm = serialEvm(createEvm);
    const block = buildGenesisBlock(genesis, { forks, states, origin });
    const blocks = await Blockchain.open(
      { store, states, engine, forks, evm, callEvm: serialEvm(createEvm) },
      block,
    );
    return new Ledger(settings, blocks);
  }

  submit(raw: Uint8Array): Transaction {
    const transaction = decodeTransaction(raw);
    const head = this.blocks.head();
    const { chainId, hooks } = this.#settings;
    const rules = { chainId, blockGasLimit: head.gasLimit, baseFee: head.baseFeePerGas };
    this.#pool.add(transaction, this.blocks.stateAt(head), rules);
    hooks.pool.added.call({ transaction });
    this.#wake();
    return transaction;
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
  async produce(clock: Clock, signal: AbortSignal): Promise<void> {
    const host: ProducerHost = {
      signal,
      clock,
      head: () => this.blocks.head(),
      transactionsPending: () => this.#transactionsPending(signal),
      build: (settings) => this.#build(settings),
      submit: (built) => this.#submit(built),
    };
    await this.#settings.engine.produce?.(host);
  }

  async #build({ timestamp }: { readonly timestamp: bigint }): Promise<BuiltBlock> {
    const result = await this.blocks.build({ timestamp, candidates: this.#candidates() });
    for (const { hash } of result.unusable) this.#pool.remove(hash);
    const built = { block: result.block };
    this.#built.set(built, result);
    return built;
  }

  async #submit(built: BuiltBlock): Promise<SealedHeader> {
    const result = this.#built.get(built);
    if (result === undefined)
      throw new TypeError("only a block that was built here can be submitted");
    return (await this.#follow(await this.blocks.submit(result))).block.header;
  }

  async #follow(result: ImportResult): Promise<ImportResult> {
    if (result.placement !== "head") return result;
    const head = result.block.header;
    this.#pool.prune(this.blocks.stateAt(head));
    const { added, removed } = result;
    await this.#settings.hooks.chain.headChanged.call({ head, added, removed });
    return result;
  }

  #candidates(): Generator<Transaction> {
    const head = this.blocks.head();
    const baseFee = head.baseFeePerGas === undefined ? 0n : nextBaseFee(head);
    return this.#pool.candidates(this.blocks.stateAt(head), baseFee);
  }

  async #transactionsPending(signal: AbortSignal): Promise<void> {
    while (this.#candidates().next().done === true) {
      await this.#woken(signal);
    }
  }

  /** Waits for the next transaction; the signal is let go of, since there is one wait per block. */
  #woken(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      this.#wake = () => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    });
  }
}
