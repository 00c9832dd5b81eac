import type { SealedHeader } from "@plinth/core";
import { mapConcurrent } from "@plinth/core/async";
import type { NetworkBlock, RemoteBlocks } from "./remote-blocks.js";

/** Blocks of a request, and requests at once. */
const BLOCKS_AT_ONCE = 10;
const CONCURRENCY = 4;
/** Blocks that were read and wait to be executed, in bytes of their encoding. */
const MAX_WAITING_BYTES = 32 * 2 ** 20;

/** Reads blocks ahead of their execution; ends early where the node has none, or another chain than before. */
export async function* readAhead(
  remote: RemoteBlocks,
  {
    parent,
    last,
  }: { readonly parent: Pick<SealedHeader, "number" | "hash">; readonly last: bigint },
): AsyncGenerator<NetworkBlock> {
  const pages = mapConcurrent(
    rangesBetween(parent.number + 1n, last),
    ({ from, count }) => remote.read(from, count),
    {
      concurrency: CONCURRENCY,
      maxWeight: MAX_WAITING_BYTES,
      weightOf: (blocks) => blocks.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  );
  let { number, hash } = parent;
  for await (const page of pages) {
    for (const each of page) {
      const { header } = each.block;
      if (header.parentHash !== hash || header.number !== number + 1n) return;
      yield each;
      ({ number, hash } = header);
    }
  }
}

function* rangesBetween(first: bigint, last: bigint) {
  for (let from = first; from <= last; from += BigInt(BLOCKS_AT_ONCE)) {
    const left = Number(last - from) + 1;
    yield { from, count: Math.min(left, BLOCKS_AT_ONCE) };
  }
}
