import type { Address, Hash, Hex } from "@plinth/core";
import type { AccountView } from "../views/account.js";
import type { BlockView } from "../views/block.js";
import type { LogView } from "../views/log.js";
import type { TransactionView } from "../views/transaction.js";
import { type CallData, estimateGas, runCall } from "./calls.js";
import type { RequestContext } from "./context.js";
import { type BlockFilterCriteria, findBlockLogs } from "./logs.js";

/** Block whose state an account is read from; by default the block of its object. */
interface AtBlock {
  readonly block?: Hex | null;
}

/** Fields of blocks that take arguments or read data; the others are properties of the view. */
export const Block = {
  ...reads(
    "parent",
    "transactionCount",
    "ommerCount",
    "totalDifficulty",
    "nextBaseFeePerGas",
    "raw",
  ),

  miner: ({ header }: BlockView, { block }: AtBlock, { reader }: RequestContext) =>
    reader.accountAt(header.coinbase, block, header),

  ommerAt: ({ ommers }: BlockView, { index }: { index: Hex }) => itemAt(ommers, index),

  transactionAt: ({ transactions }: BlockView, { index }: { index: Hex }) =>
    itemAt(transactions, index),

  logs: (
    block: BlockView,
    { filter }: { filter: BlockFilterCriteria },
    { reader }: RequestContext,
  ) => findBlockLogs(reader, block, filter),

  account: ({ header }: BlockView, { address }: { address: Address }, { reader }: RequestContext) =>
    reader.accountAt(address, undefined, header),

  call: ({ header }: BlockView, { data }: { data: CallData }, { reader }: RequestContext) =>
    runCall(reader, header, data),

  estimateGas: ({ header }: BlockView, { data }: { data: CallData }, { reader }: RequestContext) =>
    estimateGas(reader, header, data),
};

/** Fields of transactions that take arguments or read data. */
export const Transaction = {
  ...reads("status", "gasUsed", "cumulativeGasUsed", "blobGasPrice", "rawReceipt"),

  from: (view: TransactionView, { block }: AtBlock, { reader }: RequestContext) =>
    reader.accountAt(view.transaction.sender, block, view.stateHeader),

  to: (view: TransactionView, { block }: AtBlock, { reader }: RequestContext) =>
    view.transaction.to && reader.accountAt(view.transaction.to, block, view.stateHeader),

  createdContract: (view: TransactionView, { block }: AtBlock, { reader }: RequestContext) =>
    view.created && reader.accountAt(view.created, block, view.stateHeader),
};

/** Fields of logs that take arguments. */
export const Log = {
  account: ({ place }: LogView, { block }: AtBlock, { reader }: RequestContext) =>
    reader.accountAt(place.log.address, block, place.header),
};

/** Fields of accounts that take arguments or read data. */
export const Account = {
  ...reads("balance", "transactionCount", "code"),

  storage: (account: AccountView, { slot }: { slot: Hash }) => account.storage(slot),
};

/** The pending block; accounts and calls are those of the head block. */
export const Pending = {
  transactionCount: (_: unknown, __: unknown, { reader }: RequestContext) =>
    reader.context.pool.all().length,

  transactions: (_: unknown, __: unknown, { reader }: RequestContext) => reader.waiting(),

  account: (_: unknown, { address }: { address: Address }, { reader }: RequestContext) =>
    reader.accountAt(address, undefined, reader.head),

  call: (_: unknown, { data }: { data: CallData }, { reader }: RequestContext) =>
    runCall(reader, reader.head, data),

  estimateGas: (_: unknown, { data }: { data: CallData }, { reader }: RequestContext) =>
    estimateGas(reader, reader.head, data),
};

/**
 * Properties that may throw.
 *
 * Compiled code catches only errors of resolvers: an error of a property would crash the process.
 */
function reads(...names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [name, (view: Readonly<Record<string, unknown>>) => view[name]]),
  );
}

function itemAt<T>(list: readonly T[], index: Hex): T | undefined {
  return list[Number(index)];
}
