import type { Address, Hash, Header, Receipt, SealedHeader, Transaction } from "@plinth/core";
import {
  type AccessListEntry,
  contractAddress,
  effectiveGasPrice,
  encodeReceipt,
} from "@plinth/core/blocks";
import type { TransactionSource } from "../api.js";
import type { ChainSource } from "../chain-source.js";

/** What a transaction needs from its block. */
interface MinedBlock {
  readonly header: SealedHeader;
  findReceipt(index: number): Receipt | undefined;
  logsOf(index: number): readonly object[];
}

/** The position of a transaction. */
interface Place {
  readonly block: MinedBlock;
  readonly index: number;
}

/** EIP-4844: gas per blob. */
const GAS_PER_BLOB = 131_072n;
const BLOB = 3;

/** A transaction of a block, or a pending one. */
export class TransactionView implements TransactionSource {
  readonly transaction: Transaction;
  readonly #reader: ChainSource;
  readonly #place: Place | undefined;

  constructor(reader: ChainSource, transaction: Transaction, place?: Place) {
    this.#reader = reader;
    this.transaction = transaction;
    this.#place = place;
  }

  get hash(): Hash {
    return this.transaction.hash;
  }

  get nonce(): bigint {
    return this.transaction.nonce;
  }

  get index(): number | undefined {
    return this.#place?.index;
  }

  get value(): bigint {
    return this.transaction.value;
  }

  get gasPrice(): bigint {
    return effectiveGasPrice(this.transaction, this.#place?.block.header.baseFeePerGas);
  }

  get maxFeePerGas(): bigint | undefined {
    return this.transaction.maxFeePerGas;
  }

  get maxPriorityFeePerGas(): bigint | undefined {
    return this.transaction.maxPriorityFeePerGas;
  }

  get maxFeePerBlobGas(): bigint | undefined {
    return this.transaction.maxFeePerBlobGas;
  }

  get effectiveTip(): bigint | undefined {
    return this.#place && this.gasPrice - (this.#place.block.header.baseFeePerGas ?? 0n);
  }

  get gas(): bigint {
    return this.transaction.gasLimit;
  }

  get inputData(): Uint8Array {
    return this.#counted(this.transaction.data);
  }

  get block(): object | undefined {
    return this.#place?.block;
  }

  get status(): number | undefined {
    return this.#receipt?.status;
  }

  get gasUsed(): bigint | undefined {
    return this.#receipt?.gasUsed;
  }

  get cumulativeGasUsed(): bigint | undefined {
    return this.#receipt?.cumulativeGasUsed;
  }

  get effectiveGasPrice(): bigint | undefined {
    return this.#place && this.gasPrice;
  }

  get blobGasUsed(): bigint | undefined {
    const { type, blobVersionedHashes } = this.transaction;
    const isMined = this.#place !== undefined;
    return isMined && type === BLOB ? BigInt(blobVersionedHashes.length) * GAS_PER_BLOB : undefined;
  }

  get blobGasPrice(): bigint | undefined {
    if (this.#place === undefined || this.transaction.type !== BLOB) return undefined;
    return this.#reader.context.blocks.blobFeeAt(this.#place.block.header);
  }

  get logs(): readonly object[] | undefined {
    return this.#place?.block.logsOf(this.#place.index);
  }

  get r(): bigint {
    return this.transaction.r;
  }

  get s(): bigint {
    return this.transaction.s;
  }

  get v(): bigint | undefined {
    return this.transaction.type === BLOB ? undefined : this.transaction.v;
  }

  get yParity(): number | undefined {
    return this.transaction.type === 0 ? undefined : this.transaction.yParity;
  }

  get type(): number {
    return this.transaction.type;
  }

  get accessList(): readonly AccessListEntry[] {
    return this.transaction.accessList;
  }

  get raw(): Uint8Array {
    return this.#counted(this.transaction.raw);
  }

  get rawReceipt(): Uint8Array {
    const receipt = this.#receipt;
    return receipt === undefined ? new Uint8Array() : this.#counted(encodeReceipt(receipt));
  }

  get blobVersionedHashes(): readonly Hash[] {
    return this.transaction.blobVersionedHashes;
  }

  /** The contract that it created. */
  get created(): Address | undefined {
    const isMinedCreation = this.#place !== undefined && this.transaction.to === undefined;
    return isMinedCreation ? contractAddress(this.transaction) : undefined;
  }

  /** The block whose state its accounts are read from: its own, otherwise the head. */
  get stateHeader(): Header {
    return this.#place?.block.header ?? this.#reader.head;
  }

  /** Key of the object in the loader cache. */
  toJSON(): object {
    return { transaction: this.hash, block: this.#place?.block.header.hash };
  }

  get #receipt(): Receipt | undefined {
    return this.#place?.block.findReceipt(this.#place.index);
  }

  #counted(bytes: Uint8Array): Uint8Array {
    this.#reader.context.budget.take(2 * bytes.length);
    return bytes;
  }
}
