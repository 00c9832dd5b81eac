import type { Address, PoolEntry } from "@plinth/core";
import { withChecksum } from "./checksum.js";

/** Pool transactions by sender and nonce: executable ones, and those waiting for a predecessor. */
export function bySender(
  entries: readonly PoolEntry[],
  describe: (entry: PoolEntry) => unknown,
): { readonly pending: Grouped; readonly queued: Grouped } {
  const groups = { pending: new Map<string, Nonces>(), queued: new Map<string, Nonces>() };
  const sorted = [...entries].sort((a, b) => (a.transaction.nonce < b.transaction.nonce ? -1 : 1));
  for (const entry of sorted) {
    const group = entry.isReady ? groups.pending : groups.queued;
    const { sender, nonce } = entry.transaction;
    const nonces = group.get(sender) ?? {};
    nonces[nonce.toString()] = describe(entry);
    group.set(sender, nonces);
  }
  return { pending: Object.fromEntries(groups.pending), queued: Object.fromEntries(groups.queued) };
}

/** Same with checksummed sender addresses. */
export function withChecksums(group: Grouped): Grouped {
  const entries = Object.entries(group);
  return Object.fromEntries(
    entries.map(([sender, nonces]) => [withChecksum(sender as Address), nonces]),
  );
}

type Nonces = Record<string, unknown>;
type Grouped = Readonly<Record<string, Nonces>>;
