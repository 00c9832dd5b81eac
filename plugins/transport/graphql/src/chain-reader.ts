import type { Address, Hash, Header, Hex, SealedHeader, StateReader } from "@plinth/core";
import { suggestGasPrice, suggestPriorityFee } from "@plinth/kit-rpc";
import { FieldProblem } from "./answers/field-problem.js";
import type { ChainSource, ReaderContext } from "./chain-source.js";
import { AccountView } from "./views/account.js";
import { BlockView } from "./views/block.js";
import { TransactionView } from "./views/transaction.js";

/**
 * Reads the chain for one request: every block, its receipts and every state once, for all fields.
 *
 * All fields of the request see the same head block.
 */
export class ChainReader implements ChainSource {
  readonly context: ReaderContext;
  readonly head: SealedHeader;
  readonly #blocks = new Map<Hash, BlockView>();
  readonly #states = new Map<Hash, StateReader | undefined>();

  #gasPrice: bigint | undefined;
  #priorityFee: bigint | undefined;

  constructor(context: ReaderContext) {
    this.context = context;
    this.head = context.blocks.head();
  }

  /** The suggested gas price; computed from many blocks. */
  get gasPrice(): bigint {
    this.#gasPrice ??= this.#suggestGasPrice();
    return this.#gasPrice;
  }

  /** The suggested priority fee; computed from as many. */
  get priorityFee(): bigint {
    this.#priorityFee ??= this.#suggestPriorityFee();
    return this.#priorityFee;
  }

  /** The block of a header that was already read. */
  blockOf(header: SealedHeader): BlockView {
    const known = this.#blocks.get(header.hash);
    if (known !== undefined) return known;
    const view = new BlockView(this, header);
    this.#blocks.set(header.hash, view);
    return view;
  }

  /** A block by its hash, or by its number on the canonical chain. */
  findBlock(id: Hash | bigint): BlockView | undefined {
    const known = typeof id === "bigint" ? undefined : this.#blocks.get(id);
    if (known !== undefined) return known;
    // A request sees no block that arrived after it started.
    if (typeof id === "bigint" && id > this.head.number) return undefined;
    const header = this.context.blocks.findHeader(id);
    return header && this.blockOf(header);
  }

  /** Same, but throws if it does not exist. */
  getBlock(id: Hash | bigint): BlockView {
    const block = this.findBlock(id);
    if (block !== undefined) return block;
    throw new FieldProblem(
      `Block ${typeof id === "bigint" ? "number" : "hash"} ${id} was not found`,
    );
  }

  /** A transaction of the canonical chain or of the pool. */
  findTransaction(hash: Hash): TransactionView | undefined {
    const place = this.context.blocks.findTransaction(hash);
    if (place !== undefined) return this.findBlock(place.blockHash)?.transactions[place.index];
    const waiting = this.context.pool.find(hash);
    return waiting && new TransactionView(this, waiting);
  }

  /** The pending transactions. */
  waiting(): readonly TransactionView[] {
    const waiting = this.context.pool.all();
    return waiting.map((transaction) => new TransactionView(this, transaction));
  }

  /** The state after a block; `undefined` if it is not kept. */
  findState(header: Header): StateReader | undefined {
    const { stateRoot } = header;
    if (this.#states.has(stateRoot)) return this.#states.get(stateRoot);
    const { blocks } = this.context;
    blocks.verifyStateKept(header);
    const state = blocks.hasState(header) ? blocks.stateAt(header) : undefined;
    this.#states.set(stateRoot, state);
    return state;
  }

  /** An account after the block of a number, or after the default block if no number is given. */
  accountAt(address: Address, number: Hex | null | undefined, otherwise: Header): AccountView {
    const header = typeof number === "string" ? this.getBlock(BigInt(number)).header : otherwise;
    return new AccountView(this, address, header);
  }

  #suggestGasPrice(): bigint {
    const { blocks, pool, settings } = this.context;
    const { sample, max, bounds } = settings.fees;
    const min = pool.floor.minGasPrice;
    return suggestGasPrice(blocks, { ...sample, max, min, bounds });
  }

  #suggestPriorityFee(): bigint {
    const { blocks, pool, settings } = this.context;
    const { sample, bounds } = settings.fees;
    const min = pool.floor.minPriorityFee;
    return suggestPriorityFee(blocks, { ...sample, min, bounds });
  }
}
