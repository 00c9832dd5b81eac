/** Every table of the core; a plugin's tables are named after the plugin. */
export const TABLES = {
  /** Nodes of all account and storage tries, by hash. */
  trieNodes: "trie-nodes",
  /** Contract code, by hash. */
  code: "code",
  /** Addresses and storage slots, by the hash that is their key in a trie. */
  preimages: "preimages",
  /** Headers of all known blocks, by hash. */
  headers: "headers",
  /** Bodies of all known blocks, by hash. */
  bodies: "bodies",
  /** Who sent the transactions of all executed blocks, 20 bytes each, by block hash. */
  senders: "senders",
  /** Receipts of all executed blocks, by block hash. */
  receipts: "receipts",
  /** Sum of the difficulties from genesis, by block hash. */
  totalDifficulties: "total-difficulties",
  /** Hashes of the canonical chain, by number. */
  canonical: "canonical",
  /** Where a transaction of the canonical chain stands, by its hash. */
  transactions: "transactions",
  /** Transactions that wait for a block, by the order they came in. */
  pool: "pool",
  /** Why transactions left the pool, the latest ones, by the order they left in. */
  poolDepartures: "pool-departures",
  /** Single values: the head and others. */
  chain: "chain",
} as const;
