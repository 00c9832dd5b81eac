import { TABLES } from "@plinth/core/storage";

/** What takes space, in the order of display, with titles. */
export const GROUPS = {
  blocks: "Blocks",
  receipts: "Receipts",
  "state-values": "State: values",
  "state-tries": "State: tries",
  history: "History of states",
  changes: "Changes for reorganizations",
  code: "Contract code",
  preimages: "Preimages",
  "log-index": "Log index",
  "address-index": "Address index",
  stream: "Stream of changes",
  privacy: "Private transactions",
  plugins: "Other tables of plugins",
  other: "Pool and markers",
  database: "Log and file indexes",
  "set-aside": "Databases set aside",
  files: "Other files",
} as const;

/** The name of a group. */
export type Group = keyof typeof GROUPS;

/** The group of every table of the core. */
export const CORE_TABLES: Readonly<Record<keyof typeof TABLES, Group>> = {
  headers: "blocks",
  bodies: "blocks",
  senders: "blocks",
  totalDifficulties: "blocks",
  canonical: "blocks",
  transactions: "blocks",
  receipts: "receipts",
  accounts: "state-values",
  slots: "state-values",
  trieNodes: "state-tries",
  accountNodes: "state-tries",
  storageNodes: "state-tries",
  history: "history",
  stateChanges: "changes",
  sideChanges: "changes",
  fetched: "state-values",
  code: "code",
  preimages: "preimages",
  pool: "other",
  poolDepartures: "other",
  chain: "other",
};

/** Plugins whose tables have their own group. */
const PLUGINS: Readonly<Record<string, Group>> = {
  "address-index": "address-index",
  changes: "stream",
  follow: "stream",
  "log-index": "log-index",
  privacy: "privacy",
};

/** Members of the data folder that have a group; the database is divided by its tables. */
const FILES: Readonly<Record<string, Group>> = {
  caches: "log-index",
  enclave: "privacy",
};

const NAMES = new Map(
  Object.entries(TABLES).map(([key, name]): [string, Group] => [
    name,
    CORE_TABLES[key as keyof typeof TABLES],
  ]),
);

/** The group of a table; the name of a plugin's table begins with the plugin's. */
export function groupOfTable(name: string): Group {
  const [plugin = "", ...rest] = name.split(".");
  return NAMES.get(name) ?? PLUGINS[plugin] ?? (rest.length > 0 ? "plugins" : "other");
}

/** The group of a file or folder in the data folder, other than the database. */
export function groupOfFile(name: string): Group {
  return FILES[name] ?? (/^database\..*-/.test(name) ? "set-aside" : "files");
}
