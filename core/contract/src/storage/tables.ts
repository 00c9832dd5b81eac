/** All tables of the core; a plugin's tables are named after the plugin. */
export const TABLES = {
  /** Nodes of all account and storage tries, by hash. */
  trieNodes: "trie-nodes",
  /** Contract code, by hash. */
  code: "code",
  /** Addresses and storage slots (preimages), by the hash that is their trie key. */
  preimages: "preimages",
  /** Headers of all known blocks, by hash. */
  headers: "headers",
  /** Bodies of all known blocks, by hash. */
  bodies: "bodies",
  /** The senders of the transactions of all executed blocks, 20 bytes each, by block hash. */
  senders: "senders",
  /** Receipts of all executed blocks, by block hash. */
  receipts: "receipts",
  /** Total difficulty, by block hash. */
  totalDifficulties: "total-difficulties",
  /** Hashes of the canonical chain, by number. */
  canonical: "canonical",
  /** The position of a transaction on the canonical chain, by its hash. */
  transactions: "transactions",
  /** Pending transactions, by the order they arrived in. */
  pool: "pool",
  /** Why transactions left the pool, the latest ones, by the order they left in. */
  poolDepartures: "pool-departures",
  /** Single values: the head and others. */
  chain: "chain",
} as const;
