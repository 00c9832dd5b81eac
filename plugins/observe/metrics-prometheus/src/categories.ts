import type { MetricFamily } from "@plinth/core/kernel";

/** The category of plugin metrics. */
const OWN = "PLINTH";

/** Every category that an operator may select; not all of them have metrics on every node. */
export const CATEGORIES = [
  "BLOCKCHAIN",
  "ETHEREUM",
  "EXECUTORS",
  "NETWORK",
  "PEERS",
  "PERMISSIONING",
  "KVSTORE_ROCKSDB",
  "KVSTORE_PRIVATE_ROCKSDB",
  "KVSTORE_ROCKSDB_STATS",
  "KVSTORE_PRIVATE_ROCKSDB_STATS",
  "PRUNER",
  "RPC",
  "SYNCHRONIZER",
  "TRANSACTION_POOL",
  "STRATUM",
  "BLOCK_PROCESSING",
  "JVM",
  "PROCESS",
  OWN,
] as const;

/** One of them. */
export type Category = (typeof CATEGORIES)[number];

/** The category of a metric: the part of the node that it covers, or the common one of plugins. */
export function categoryOf({ plugin }: Pick<MetricFamily, "plugin">): Category {
  return CATEGORIES.find((category) => category.toLowerCase() === plugin) ?? OWN;
}

/**
 * The categories of some names, case-insensitively, or all if there are no names; unknown names are
 * passed to `unknown`.
 */
export function readCategories(
  names: readonly string[],
  unknown: (name: string) => void,
): readonly Category[] {
  if (names.length === 0) return CATEGORIES;
  return names.flatMap((name) => {
    const known = CATEGORIES.find((category) => category === name.toUpperCase());
    if (known === undefined) unknown(name);
    return known ?? [];
  });
}
