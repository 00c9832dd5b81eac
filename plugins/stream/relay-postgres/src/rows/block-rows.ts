import {
  type Address,
  InvariantError,
  type Receipt,
  type SealedBlock,
  type Transaction,
} from "@plinth/core";
import { contractAddress, effectiveGasPrice } from "@plinth/core/blocks";
import type { Row, Value } from "../database/database.js";
import type { TableName } from "../schema/tables.js";
import { bytesValue, bytesValueOf, numberValue, timeValue } from "./values.js";

/** Rows by table. */
export type Rows = Readonly<Partial<Record<TableName, readonly Row[]>>>;

/** A block with its receipts. */
export interface ReceiptedBlock {
  readonly block: SealedBlock;
  readonly receipts: readonly Receipt[];
}

/** The rows of a block that are copied from it. */
export function rowsOfBlock({ block, receipts }: ReceiptedBlock): Rows {
  const { header, body } = block;
  const number = String(header.number);
  const transactions: Row[] = [];
  const receiptRows: Row[] = [];
  const logs: Row[] = [];
  let gasBefore = 0n;
  for (const [index, transaction] of body.transactions.entries()) {
    const receipt = receipts[index];
    if (receipt === undefined) {
      throw new InvariantError(`block ${number} has no receipt of transaction ${index}`);
    }
    const place = [number, String(index)] as const;
    const hash = bytesValue(transaction.hash);
    transactions.push([...place, hash, ...transactionValues(transaction)]);
    receiptRows.push([
      ...[...place, hash, numberValue(statusOf(receipt))],
      ...[String(receipt.cumulativeGasUsed - gasBefore), String(receipt.cumulativeGasUsed)],
      String(effectiveGasPrice(transaction, header.baseFeePerGas)),
      transaction.to === undefined ? bytesValue(contractAddress(transaction)) : null,
    ]);
    gasBefore = receipt.cumulativeGasUsed;
    for (const { address, topics, data } of receipt.logs) {
      const [first, second, third, fourth] = topics;
      logs.push([
        ...[number, String(logs.length), String(index), hash, bytesValue(address)],
        ...[optional(first), optional(second), optional(third), optional(fourth)],
        bytesValueOf(data),
      ]);
    }
  }
  return { blocks: [blockRow(block)], transactions, receipts: receiptRows, logs };
}

function blockRow({ header, body }: SealedBlock): Row {
  return [
    ...[String(header.number), bytesValue(header.hash), bytesValue(header.parentHash)],
    ...[timeValue(header.timestamp), bytesValue(header.coinbase), String(header.gasLimit)],
    ...[String(header.gasUsed), numberValue(header.baseFeePerGas), String(header.difficulty)],
    ...[bytesValue(header.stateRoot), bytesValue(header.transactionsRoot)],
    ...[bytesValue(header.receiptsRoot), bytesValueOf(header.extraData)],
    String(body.transactions.length),
  ];
}

function transactionValues(transaction: Transaction): readonly Value[] {
  const { type, sender, to, nonce, value, data, gasLimit, gasPrice } = transaction;
  return [
    ...[String(type), bytesValue(sender), optional(to), String(nonce), String(value)],
    ...[bytesValueOf(data), String(gasLimit), numberValue(gasPrice)],
    ...[numberValue(transaction.maxFeePerGas), numberValue(transaction.maxPriorityFeePerGas)],
  ];
}

function statusOf({ status }: Receipt): bigint | undefined {
  return status === undefined ? undefined : BigInt(status);
}

function optional(hex: Address | undefined): Value {
  return hex === undefined ? null : bytesValue(hex);
}
