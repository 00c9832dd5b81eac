import { RequestFailed } from "@plinth/plugin-protocol-eth/api";

/** Peers send at least as many headers at once, if they have them. */
const LEAST = 32n;

/**
 * The headers that a peer sent; `undefined` if there are none.
 *
 * Throws `RequestFailed` if there are few: the only peer with headers would hold the node up by sending them one by one.
 */
export function verifyCount<T>(headers: readonly T[], limit: bigint): readonly T[] | undefined {
  const count = BigInt(headers.length);
  if (count === 0n) return undefined;
  if (count >= LEAST || count >= limit) return headers;
  throw new RequestFailed(`it sent ${count} of ${limit} headers`);
}
