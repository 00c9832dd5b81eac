import type { BlockReader, Hash, SealedHeader } from "@plinth/core";
import type { LogMatcher, PlacedLog } from "@plinth/kit-rpc";
import type { PrivacyNode } from "@plinth/plugin-privacy/api";

type Blocks = Pick<BlockReader, "findBlock" | "findHeader" | "head">;

/** All private logs of a group in a block, with indices from 0 per group and block. */
export function logsOfBlock(
  { store }: Pick<PrivacyNode, "store">,
  blocks: Blocks,
  at: {
    readonly group: Uint8Array;
    readonly header: SealedHeader;
    readonly isRemoved: boolean;
  },
): readonly PlacedLog[] {
  const { group, header, isRemoved } = at;
  const place = { group, number: header.number, blockHash: header.hash };
  const { markers = [] } = store.findGroupBlock(place) ?? {};
  const indexes = markers.length === 0 ? new Map() : indexesOf(blocks, header.hash);
  const found: PlacedLog[] = [];
  for (const marker of markers) {
    const place = { header, transactionHash: marker, transactionIndex: indexes.get(marker) ?? 0 };
    for (const log of store.findReceipt(header.hash, marker, group)?.logs ?? []) {
      found.push({ log, ...place, logIndex: found.length, isRemoved });
    }
  }
  return found;
}

/** The matching private logs of a group on the canonical chain. */
export async function logsOfRange(
  node: Pick<PrivacyNode, "store">,
  blocks: Blocks,
  query: {
    readonly group: Uint8Array;
    readonly from: bigint;
    readonly to: bigint;
    readonly matcher: LogMatcher;
  },
): Promise<readonly PlacedLog[]> {
  const { group, from, matcher } = query;
  const head = blocks.head().number;
  const to = query.to < head ? query.to : head;
  const found: PlacedLog[] = [];
  if (from > to) return found;
  for await (const { blockHash } of node.store.groupBlocks(group, { from, to })) {
    const header = blocks.findHeader(blockHash);
    if (header === undefined) continue;
    for (const log of logsOfBlock(node, blocks, { group, header, isRemoved: false })) {
      if (matcher.matches(log.log)) found.push(log);
    }
  }
  return found;
}

function indexesOf(blocks: Blocks, hash: Hash): ReadonlyMap<Hash, number> {
  const transactions = blocks.findBlock(hash)?.body.transactions ?? [];
  return new Map(transactions.map((transaction, index) => [transaction.hash, index]));
}
