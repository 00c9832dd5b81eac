/** All tables of the core; a plugin's tables are named after the plugin. */
export const TABLES = {
  /** Nodes of all account and storage tries, by hash. */
  trieNodes: "trie-nodes",
  /** Flat layout: accounts of the head, by the hash of their address. */
  accounts: "accounts",
  /** Flat layout: slots of the head, by account and the hash of the slot. */
  slots: "slots",
  /** Flat layout: earlier values of accounts and slots, by key and version. */
  history: "history",
  /** Flat layout: the keys that a block of the canonical chain changed, by number. */
  stateChanges: "state-changes",
  /** Flat layout: the values that a block off the canonical chain changed, by number and hash. */
  sideChanges: "side-changes",
  /** Flat layout: nodes of the account trie of the head, by path. */
  accountNodes: "account-nodes",
  /** Flat layout: nodes of the storage tries of the head, by account and path. */
  storageNodes: "storage-nodes",
  /** Flat layout: values of a state that is somewhere else, as they were fetched, by the keys of accounts and slots. */
  fetched: "fetched",
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
