import type { SealedHeader } from "@plinth/core";
import { type EthPeer, RequestFailed } from "@plinth/plugin-protocol-eth/api";

/** Blocks from one anchor to the next, and headers per request. */
export const RANGE_BLOCKS = 200n;
const ANCHORS = 200n;

/** Headers to fetch: those after `from` up to `to`, or as many as the peer has after it. */
export interface HeaderRange {
  readonly from: SealedHeader;
  /** `undefined` at the end of the peer's chain. */
  readonly to: SealedHeader | undefined;
}

/**
 * Divides the chain of a peer after a shared block into ranges.
 *
 * Only the headers at their ends are requested, so that several peers can fill the ranges at once.
 */
export async function listRanges(
  target: EthPeer,
  ancestor: SealedHeader,
): Promise<readonly HeaderRange[]> {
  const ahead = (target.head?.number ?? 0n) - ancestor.number;
  if (ahead < RANGE_BLOCKS) return [{ from: ancestor, to: undefined }];
  const anchors = await target.requestHeaders({
    start: ancestor.hash,
    limit: ANCHORS + 1n,
    skip: RANGE_BLOCKS - 1n,
    reverse: false,
  });
  if (anchors.length < 2) {
    throw new RequestFailed("the peer announced blocks that it does not show");
  }
  const ranges = anchors
    .slice(1)
    .map((to, index): HeaderRange => ({ from: anchors[index] as SealedHeader, to }));
  const last = anchors.at(-1) as SealedHeader;
  // With all anchors there is more: the next round starts there.
  const isAll = BigInt(anchors.length) > ANCHORS;
  return isAll ? ranges : [...ranges, { from: last, to: undefined }];
}

/** Fetches the headers of a range in ascending order, without `from`. */
export async function fillRange(
  peer: EthPeer,
  { from, to }: HeaderRange,
): Promise<readonly SealedHeader[]> {
  return to === undefined ? fillForwards(peer, from) : fillBackwards(peer, from, to);
}

/** Backwards from a hash, so that any peer can respond and no response can deviate. */
async function fillBackwards(
  peer: EthPeer,
  from: SealedHeader,
  to: SealedHeader,
): Promise<readonly SealedHeader[]> {
  const limit = to.number - from.number;
  const headers = await peer.requestHeaders({ start: to.hash, limit, skip: 0n, reverse: true });
  const [last] = headers.slice(-1);
  if (BigInt(headers.length) < limit || last?.parentHash !== from.hash) {
    throw new RequestFailed(`the peer does not show blocks ${from.number} to ${to.number}`);
  }
  return [...headers].reverse();
}

/** The first header of the response is the known one. */
async function fillForwards(peer: EthPeer, from: SealedHeader): Promise<readonly SealedHeader[]> {
  const request = { start: from.hash, limit: RANGE_BLOCKS, skip: 0n, reverse: false };
  const [, ...headers] = await peer.requestHeaders(request);
  return headers;
}
