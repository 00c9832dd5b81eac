import { decodeRlp, EMPTY_ROOT, encodeRlp, hexToBytes, type Rlp } from "@plinth/core";
import type { RangeEntry } from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { type AccountRangeRequest, HASH_BYTES } from "../messages.js";
import type { RecentStates } from "../recent-states.js";
import { responseBytes } from "./limits.js";

const NOTHING = new Uint8Array();
/** Omitted in the slim form of an account. */
const USUAL = [hexToBytes(EMPTY_ROOT), hexToBytes(EMPTY_CODE_HASH)];

/** Accounts with their proof; nothing if the state is not available. */
export async function serveAccounts(
  states: RecentStates,
  { root, origin, limit, bytes }: AccountRangeRequest,
): Promise<readonly Rlp[]> {
  using ranges = await states.open(root);
  if (ranges === undefined) return [[], []];
  const { entries, proof } = await ranges.accounts({
    origin,
    end: limit,
    // The account with which the size is exceeded is still sent.
    maxBytes: responseBytes(bytes) + 1,
    sizeOf: ({ value }: RangeEntry) => HASH_BYTES + encodeRlp(slim(value)).length,
  });
  return [entries.map(({ key, value }) => [key, slim(value)]), proof];
}

/** An account without the root of an empty storage and the hash of no code. */
function slim(value: Uint8Array): Rlp {
  const items = decodeRlp(value);
  if (items instanceof Uint8Array) return items;
  return items.map((item) =>
    item instanceof Uint8Array && USUAL.some((usual) => Buffer.compare(usual, item) === 0)
      ? NOTHING
      : item,
  );
}
