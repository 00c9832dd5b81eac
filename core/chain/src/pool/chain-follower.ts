import type {
  Address,
  BlockReader,
  Hash,
  HeadChanged,
  SealedBlock,
  StateReader,
  Transaction,
} from "@plinth/core";
import { messageOf, RejectedTransaction, StorageError } from "@plinth/core";
import { decodeTransaction, openNetworkForm } from "@plinth/core/blocks";
import type { Departure, TransactionOrigin } from "@plinth/core/pool";
import { isDelegation } from "@plinth/core/rules";
import { TABLES } from "@plinth/core/storage";
import { MinedTransactions, returning } from "./mined-transactions.js";
import type { PersistedPool } from "./persisted-pool.js";
import { hasPriority, latestState, nextPrices, type PoolContext } from "./pool-context.js";
import type { SenderState } from "./pool-index.js";
import type { RecordedTransaction } from "./pool-record.js";

/** Number of senders checked after every block although none of their transactions was in it. */
const SENDERS_PER_BLOCK = 256;
const NOTHING_MINED = new MinedTransactions([]);

/** Keeps the pool in step with the canonical chain, including across restarts. */
export class ChainFollower {
  readonly #persisted: PersistedPool;
  readonly #context: PoolContext;
  #sweep: Iterator<Address> | undefined;

  constructor(kept: PersistedPool, context: PoolContext) {
    this.#persisted = kept;
    this.#context = context;
  }

  /** Restores the transactions pending at the last shutdown or crash. */
  async load(): Promise<void> {
    const { blocks, record } = this.#context;
    const state = latestState(this.#context);
    const { baseFee } = nextPrices(this.#context);
    for await (const recorded of this.#persisted.load())
      this.#putBack(recorded, { state, baseFee });
    // The last event before the stop may have been a reorganization.
    for (const transaction of returning(blocksOff(blocks, record.findHead()), NOTHING_MINED)) {
      const isMined = blocks.findTransaction(transaction.hash) !== undefined;
      if (!isMined) this.#takeBack(transaction, state, NOTHING_MINED);
    }
    this.#persisted.setHead(blocks.head().hash);
  }

  /**
   * Removes mined transactions, and returns those removed by a reorganization; not those removed by
   * a rewind.
   */
  headMoved({ cause, head, added, removed }: HeadChanged): void {
    if (cause === "follow") return;
    const state = this.#context.blocks.stateAt(head);
    const mined = new MinedTransactions(added);
    for (const sender of this.#sendersToFollow([...removed, ...added])) {
      this.#follow(sender, state, mined);
    }
    if (cause === "rewind") {
      this.#persisted.rewindTo(head.hash);
      return;
    }
    for (const transaction of returning(removed, mined)) this.#takeBack(transaction, state, mined);
    this.#persisted.setHead(head.hash);
  }

  /** Adds an admitted transaction; throws `RejectedTransaction` if the pool is full. */
  add(
    transaction: Transaction,
    on: {
      readonly origin: TransactionOrigin;
      readonly networkForm: Uint8Array;
      readonly state: StateReader;
    },
  ): void {
    const { origin, networkForm, state } = on;
    this.#follow(transaction.sender, state, NOTHING_MINED);
    this.#persisted.add(
      {
        transaction,
        networkForm,
        origin,
        hasPriority: hasPriority(transaction, origin, this.#context),
        addedAt: this.#context.clock.now(),
      },
      { sender: senderState(transaction, state), baseFee: nextPrices(this.#context).baseFee },
    );
  }

  #follow(sender: Address, state: StateReader, mined: MinedTransactions): void {
    const nonce = state.findAccount(sender)?.nonce ?? 0n;
    this.#persisted.follow(sender, nonce, (passed) => mined.departureOf(passed));
  }

  /** Returns a transaction removed by a reorganization, like one submitted to this node. */
  #takeBack(transaction: Transaction, state: StateReader, mined: MinedTransactions): void {
    if (this.#persisted.pool.find(transaction.hash) !== undefined) return;
    const { accountNonce } = senderState(transaction, state);
    if (transaction.nonce < accountNonce) {
      const departure = mined.departureOf(transaction);
      if (departure !== undefined) this.#persisted.refuse(transaction, departure);
      return;
    }
    try {
      this.add(transaction, { origin: "local", networkForm: transaction.raw, state });
    } catch (error) {
      if (!(error instanceof RejectedTransaction)) throw error;
      this.#persisted.refuse(transaction, this.#departureFor(error, transaction));
    }
  }

  #putBack(
    { networkForm, origin, addedAt, order, setAside, ...recorded }: RecordedTransaction,
    { state, baseFee }: { readonly state: StateReader; readonly baseFee: bigint | undefined },
  ): void {
    const transaction = decodeRecorded(networkForm, recorded.sender);
    const { hash, nonce } = transaction;
    const sender = senderState(transaction, state);
    if (nonce < sender.accountNonce) {
      const isMined = this.#context.blocks.findTransaction(hash) !== undefined;
      const departure = isMined ? undefined : NOTHING_MINED.departureOf(transaction);
      this.#persisted.discard({ order }, departure && { hash, departure });
      return;
    }
    const isPrior = hasPriority(transaction, origin, this.#context);
    const arrival = {
      transaction,
      networkForm,
      origin,
      hasPriority: isPrior,
      addedAt,
      order,
      ...(setAside === undefined ? {} : { setAside }),
    };
    try {
      this.#persisted.putBack(arrival, { sender, baseFee });
    } catch (error) {
      if (!(error instanceof RejectedTransaction)) throw error;
      this.#persisted.discard(
        { order },
        { hash, departure: this.#departureFor(error, transaction) },
      );
    }
  }

  #departureFor(error: RejectedTransaction, { sender, nonce }: Transaction): Departure {
    const by = this.#persisted.pool.queueOf(sender)?.find(nonce)?.hash;
    if (by !== undefined) return { kind: "replaced", by, message: `${by} replaced it` };
    return { kind: "evicted", message: error.message };
  }

  /** Senders of blocks, and some of the others in turn: other changes of a nonce are rare. */
  #sendersToFollow(blocks: readonly SealedBlock[]): ReadonlySet<Address> {
    const senders = new Set<Address>();
    for (const { body } of blocks) for (const { sender } of body.transactions) senders.add(sender);
    for (let count = 0; count < SENDERS_PER_BLOCK; count++) {
      this.#sweep ??= this.#persisted.pool.senders();
      const { value, done } = this.#sweep.next();
      if (done) {
        this.#sweep = undefined;
        break;
      }
      senders.add(value);
    }
    return senders;
  }
}

function decodeRecorded(networkForm: Uint8Array, sender: Address): Transaction {
  try {
    return decodeTransaction(openNetworkForm(networkForm).raw, sender);
  } catch (cause) {
    throw new StorageError("STORAGE_DAMAGED", {
      message: `the database is damaged: a transaction of the pool cannot be read: ${messageOf(cause)}; restore it from a backup`,
      table: TABLES.pool,
      cause,
    });
  }
}

function senderState({ sender }: Transaction, state: StateReader): SenderState {
  return {
    accountNonce: state.findAccount(sender)?.nonce ?? 0n,
    isDelegated: isDelegation(state.getCode(sender)),
  };
}

/** The blocks from one that may have left the chain down to the chain. */
function blocksOff(blocks: BlockReader, from: Hash | undefined): readonly SealedBlock[] {
  const off: SealedBlock[] = [];
  for (let hash = from; hash !== undefined; ) {
    const header = blocks.findHeader(hash);
    // The body of a block of the chain may be gone.
    if (header === undefined || blocks.findHeader(header.number)?.hash === hash) break;
    const block = blocks.findBlock(hash);
    if (block === undefined) break;
    off.push(block);
    hash = header.parentHash;
  }
  return off;
}
