import { block } from "./methods/block.js";
import { call } from "./methods/call.js";
import { callMany } from "./methods/call-many.js";
import { filter } from "./methods/filter.js";
import { get } from "./methods/get.js";
import { rawTransaction } from "./methods/raw-transaction.js";
import { replayBlockTransactions } from "./methods/replay-block-transactions.js";
import { replayTransaction } from "./methods/replay-transaction.js";
import { transaction } from "./methods/transaction.js";

/** The methods of the namespace by name. */
export const createMethods = ({ rpcMaxTraceFilterRange }: { rpcMaxTraceFilterRange: number }) => ({
  block,
  call,
  callMany,
  filter: filter(rpcMaxTraceFilterRange),
  get,
  rawTransaction,
  replayBlockTransactions,
  replayTransaction,
  transaction,
});
