import {
  type Block,
  encodeBlock,
  type Hash,
  type Header,
  keccakHeader,
  type Receipt,
  type SealedHeader,
} from "@plinth/core";
import { encodeHeader } from "@plinth/core/blocks";
import type { PlacedLog } from "@plinth/kit-rpc";
import type { BlockSource } from "../api.js";
import type { ChainSource } from "../chain-source.js";
import { LogView } from "./log.js";
import { TransactionView } from "./transaction.js";

/** Approximate size of a decoded transaction, receipt or log besides its bytes. */
const OVERHEAD = 512;

/** A withdrawal; its amount is in gwei. */
interface WithdrawalView {
  readonly index: bigint;
  readonly validator: bigint;
  readonly address: string;
  readonly amount: bigint;
}

/** A block of the chain; its body and its receipts are read once, when a field needs them. */
export class BlockView implements BlockSource {
  readonly header: SealedHeader;
  protected readonly reader: ChainSource;
  #body: Block["body"] | undefined;
  #transactions: readonly TransactionView[] | undefined;
  #receipts: readonly Receipt[] | undefined;
  #firstLogs: readonly number[] | undefined;

  constructor(reader: ChainSource, header: SealedHeader) {
    this.reader = reader;
    this.header = header;
  }

  get number(): bigint {
    return this.header.number;
  }

  get hash(): Hash {
    return this.header.hash;
  }

  get nonce(): Uint8Array {
    return this.header.nonce;
  }

  get transactionsRoot(): Hash {
    return this.header.transactionsRoot;
  }

  get transactionCount(): number {
    return this.body.transactions.length;
  }

  get stateRoot(): Hash {
    return this.header.stateRoot;
  }

  get receiptsRoot(): Hash {
    return this.header.receiptsRoot;
  }

  get extraData(): Uint8Array {
    return this.header.extraData;
  }

  get gasLimit(): bigint {
    return this.header.gasLimit;
  }

  get gasUsed(): bigint {
    return this.header.gasUsed;
  }

  get baseFeePerGas(): bigint | undefined {
    return this.header.baseFeePerGas;
  }

  get nextBaseFeePerGas(): bigint | undefined {
    return this.reader.context.blocks.baseFeeAfter(this.header);
  }

  get timestamp(): bigint {
    return this.header.timestamp;
  }

  get logsBloom(): Uint8Array {
    this.reader.context.budget.take(2 * this.header.logsBloom.length);
    return this.header.logsBloom;
  }

  get mixHash(): Hash {
    return this.header.mixHash;
  }

  get difficulty(): bigint {
    return this.header.difficulty;
  }

  get totalDifficulty(): bigint {
    return this.reader.context.blocks.findTotalDifficulty(this.hash) ?? 0n;
  }

  get parent(): object | undefined {
    return this.number === 0n ? undefined : this.reader.findBlock(this.header.parentHash);
  }

  get ommerCount(): number | undefined {
    return this.body.uncles.length;
  }

  get ommers(): readonly BlockView[] {
    return this.body.uncles.map((uncle) => new OmmerView(this.reader, uncle));
  }

  get ommerHash(): Hash {
    return this.header.unclesHash;
  }

  get transactions(): readonly TransactionView[] {
    this.#transactions ??= this.body.transactions.map(
      (transaction, index) => new TransactionView(this.reader, transaction, { block: this, index }),
    );
    return this.#transactions;
  }

  get rawHeader(): Uint8Array {
    const bytes = encodeHeader(this.header);
    this.reader.context.budget.take(2 * bytes.length);
    return bytes;
  }

  get raw(): Uint8Array {
    const bytes = encodeBlock({ header: this.header, body: this.body });
    this.reader.context.budget.take(2 * bytes.length);
    return bytes;
  }

  get withdrawalsRoot(): Hash | undefined {
    return this.header.withdrawalsRoot;
  }

  get withdrawals(): readonly WithdrawalView[] | undefined {
    if (this.header.withdrawalsRoot === undefined) return undefined;
    return (this.body.withdrawals ?? []).map(({ index, validatorIndex, address, amountGwei }) => ({
      index,
      validator: validatorIndex,
      address,
      amount: amountGwei,
    }));
  }

  get blobGasUsed(): bigint | undefined {
    return this.header.blobGasUsed;
  }

  get excessBlobGas(): bigint | undefined {
    return this.header.excessBlobGas;
  }

  /** The receipt of the transaction at an index. */
  findReceipt(index: number): Receipt | undefined {
    return this.#allReceipts[index];
  }

  /** The logs of the transaction at an index. */
  logsOf(index: number): readonly LogView[] {
    const transaction = this.transactions[index];
    const logs = this.findReceipt(index)?.logs ?? [];
    const first = this.#allFirstLogs[index] ?? 0;
    if (transaction === undefined) return [];
    return logs.map(
      (log, offset) =>
        new LogView(this.reader, { log, header: this.header, transaction, index: first + offset }),
    );
  }

  /** A log of this block that a search has found. */
  findLog({ log, logIndex, transactionIndex }: PlacedLog): LogView | undefined {
    const transaction = this.transactions[transactionIndex];
    return (
      transaction &&
      new LogView(this.reader, { log, header: this.header, transaction, index: logIndex })
    );
  }

  /** Key of the object in the loader cache. */
  toJSON(): object {
    return { block: this.hash };
  }

  protected get body(): Block["body"] {
    this.#body ??= this.readBody();
    return this.#body;
  }

  protected readBody(): Block["body"] {
    const body = this.reader.context.blocks.findBlock(this.hash)?.body;
    const { transactions = [] } = body ?? {};
    const bytes = transactions.reduce((sum, { raw }) => sum + raw.length + OVERHEAD, OVERHEAD);
    this.reader.context.budget.take(bytes);
    return body ?? { transactions: [], uncles: [] };
  }

  get #allReceipts(): readonly Receipt[] {
    this.#receipts ??= this.#readReceipts();
    return this.#receipts;
  }

  /** The index within the block of the first log of every transaction. */
  get #allFirstLogs(): readonly number[] {
    let next = 0;
    this.#firstLogs ??= this.#allReceipts.map(({ logs }) => {
      const first = next;
      next += logs.length;
      return first;
    });
    return this.#firstLogs;
  }

  #readReceipts(): readonly Receipt[] {
    const receipts = this.reader.context.blocks.findReceipts(this.hash) ?? [];
    let bytes = 0;
    for (const { logs } of receipts) {
      bytes += OVERHEAD;
      for (const { data } of logs) bytes += data.length + OVERHEAD;
    }
    this.reader.context.budget.take(bytes);
    return receipts;
  }
}

/** The header of an ommer: nothing else of it is known. */
class OmmerView extends BlockView {
  constructor(reader: ChainSource, header: Header) {
    // Ommers exist only under proof of work, whose header hash is the plain one.
    super(reader, { ...header, hash: keccakHeader(header) });
  }

  override get totalDifficulty(): bigint {
    return 0n;
  }

  override get ommerCount(): undefined {
    return undefined;
  }

  protected override readBody(): Block["body"] {
    return { transactions: [], uncles: [] };
  }
}
