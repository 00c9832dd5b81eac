import type { Rlp } from "@plinth/core";
import { HASH_BYTES, type StorageRangesRequest } from "../messages.js";
import type { RecentStates } from "../recent-states.js";
import { MAX_LOOKUPS, responseBytes, startTime } from "./limits.js";

const FIRST_KEY = new Uint8Array(HASH_BYTES);
/** A storage may exceed the size by this factor, rather than be sent with a proof. */
const SLACK = 1.1;

/** Slots of accounts; the last one has a proof unless it is the whole storage. */
export async function serveStorage(
  states: RecentStates,
  request: StorageRangesRequest,
): Promise<readonly Rlp[]> {
  using ranges = await states.open(request.root);
  if (ranges === undefined) return [[], []];
  const isOver = startTime();
  const maxBytes = responseBytes(request.bytes);
  const storages: Rlp[] = [];
  let bytes = 0;
  for (const [index, account] of request.accounts.slice(0, MAX_LOOKUPS).entries()) {
    if (bytes >= maxBytes || isOver()) break;
    const origin = (index === 0 ? request.origin : undefined) ?? FIRST_KEY;
    const end = index === 0 ? request.limit : undefined;
    const range = await ranges.slots(account, {
      origin,
      ...(end && { end }),
      maxBytes: maxBytes * SLACK - bytes,
    });
    if (range === undefined) continue;
    const { entries, proof, hasMore } = range;
    if (entries.length > 0) storages.push(entries.map(({ key, value }) => [key, value]));
    for (const { value } of entries) bytes += HASH_BYTES + value.length;
    if (hasMore || Buffer.compare(origin, FIRST_KEY) !== 0) return [storages, proof];
  }
  return [storages, []];
}
