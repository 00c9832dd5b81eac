/** How a value is compared with the one in the database. */
export type ColumnKind = "text" | "time" | "json";

/** The columns of every table with rows of blocks, in the order of the values of a row; its key comes first. */
export const TABLES = {
  blocks: {
    key: 1,
    columns: [
      ...["number", "hash", "parent_hash", "timestamp", "miner", "gas_limit", "gas_used"],
      ...["base_fee_per_gas", "difficulty", "state_root", "transactions_root", "receipts_root"],
      ...["extra_data", "transaction_count"],
    ],
  },
  transactions: {
    key: 2,
    columns: [
      ...["block_number", "transaction_index", "hash", "type", "from_address", "to_address"],
      ...["nonce", "value", "input", "gas_limit", "gas_price", "max_fee_per_gas"],
      "max_priority_fee_per_gas",
    ],
  },
  receipts: {
    key: 2,
    columns: [
      ...["block_number", "transaction_index", "transaction_hash", "status", "gas_used"],
      ...["cumulative_gas_used", "effective_gas_price", "contract_address"],
    ],
  },
  logs: {
    key: 2,
    columns: [
      ...["block_number", "log_index", "transaction_index", "transaction_hash", "address"],
      ...["topic0", "topic1", "topic2", "topic3", "data"],
    ],
  },
  events: {
    key: 2,
    columns: [
      ...["block_number", "log_index", "transaction_hash", "address", "contract", "name"],
      ...["signature", "arguments"],
    ],
  },
  token_transfers: {
    key: 3,
    columns: [
      ...["block_number", "log_index", "batch_index", "transaction_hash", "token", "standard"],
      ...["operator", "from_address", "to_address", "token_id", "value"],
    ],
  },
  balances: {
    key: 2,
    columns: ["block_number", "account_hash", "address", "nonce", "balance"],
  },
} as const satisfies Readonly<
  Record<string, { readonly key: number; readonly columns: readonly string[] }>
>;

/** The name of a table with rows of blocks. */
export type TableName = keyof typeof TABLES;

/** All of them; the rows of a block are deleted from each. */
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

/** The column with the number of the block. */
export function numberColumn(table: TableName): string {
  return TABLES[table].columns[0];
}

/** A table with its columns, as INSERT and COPY name it. */
export function targetOf(table: TableName): string {
  return `${table} (${TABLES[table].columns.join(", ")})`;
}
