import type { BlockReader, Hash, SealedHeader } from "@plinth/core";
import { type EthPeer, RequestFailed } from "@plinth/plugin-protocol-eth/api";

/** Number of headers per request. */
const HEADERS_AT_ONCE = 200n;

/**
 * The last block that this node and a peer share.
 *
 * The latest headers are requested first: most reorganizations are short. Then headers spread over the rest, until two
 * adjacent ones are found of which one is shared. The genesis block is, or they would not be connected.
 */
export async function findAncestor(peer: EthPeer, blocks: BlockReader): Promise<SealedHeader> {
  let shared = getHeader(blocks, 0n);
  const own = blocks.head().number;
  const height = peer.head?.number ?? 0n;
  let unshared = (own < height ? own : height) + 1n;
  for (let isFirst = true; unshared - shared.number > 1n; isFirst = false) {
    const gap = unshared - shared.number - 1n;
    const step = isFirst ? 1n : (gap + HEADERS_AT_ONCE - 1n) / HEADERS_AT_ONCE;
    const limit = gap < HEADERS_AT_ONCE ? gap : HEADERS_AT_ONCE;
    const start = unshared - 1n;
    const headers = await peer.requestHeaders({ start, limit, skip: step - 1n, reverse: true });
    // It has all of them, or is not at the claimed height: a few at a time would keep this node
    // busy forever.
    const wanted = (start - shared.number + step - 1n) / step;
    if (BigInt(headers.length) < (wanted < limit ? wanted : limit)) {
      throw new RequestFailed(
        `the peer does not show the blocks below ${start}, although it is at ${height}`,
      );
    }
    const found = headers.find(({ hash }) => isShared(blocks, hash));
    const before = headers.findLast(({ number }) => found === undefined || number > found.number);
    if (found !== undefined) shared = found;
    if (before !== undefined) unshared = before.number;
  }
  return shared;
}

/** A block off the canonical chain can be built on as well, if its state is available. */
function isShared(blocks: BlockReader, hash: Hash): boolean {
  const known = blocks.findHeader(hash);
  return known !== undefined && blocks.hasState(known);
}

function getHeader(blocks: BlockReader, number: bigint): SealedHeader {
  const header = blocks.findHeader(number);
  if (header !== undefined) return header;
  throw new RequestFailed(`block ${number} of this node is missing`);
}
