import { EMPTY_ROOT, type Hash, type SealedHeader, toHex } from "@plinth/core";
import { decodeHeader, sealHeader } from "@plinth/core/blocks";
import { TABLES } from "@plinth/core/storage";
import { BlockView } from "../flat/block-view.js";
import { sideKey } from "../flat/keys.js";
import { encodeChanges } from "../flat/record.js";
import { Removals } from "../flat/removals.js";
import { RecentTries } from "../flat/tries/recent-tries.js";
import { NodeCache } from "../state/node-cache.js";
import { bytesOf } from "../state/state-values.js";
import { changesBetween } from "./block-changes.js";
import type { ConversionContext } from "./conversion-context.js";

/** Writes the changes of the blocks off the canonical chain that may still become canonical. */
export async function convertSideBlocks(context: ConversionContext): Promise<void> {
  const { store, chain, nodes, proofBlocks } = context;
  const removals = new Removals(store.table(TABLES.chain), { isReader: true });
  const cache = new NodeCache({ maxNodes: 0 });
  const recent = new RecentTries(store, { cache, proofBlocks });
  const head = () => undefined;
  const views = { store, chain, head, removals, cache, recent, proofBlocks };
  const tries = store.table(TABLES.trieNodes);
  const converted = store.table(TABLES.sideChanges);
  for (const header of await findSideBlocks(context)) {
    const parent = chain.findHeader(header.parentHash);
    const place = sideKey(header.number, header.hash);
    const isExecuted =
      header.stateRoot === EMPTY_ROOT || tries.getSync(bytesOf(header.stateRoot)) !== undefined;
    if (parent === undefined || !isExecuted || converted.getSync(place) !== undefined) continue;
    const view = new BlockView(parent, views);
    const roots = { before: parent.stateRoot, after: header.stateRoot };
    const { values } = changesBetween(nodes, roots, (key) => view.find(key)?.incarnation ?? 0);
    const batch = store.batch();
    batch.put(TABLES.sideChanges, sideKey(header.number, header.hash), encodeChanges(values));
    await batch.commit();
  }
}

/** The blocks off the canonical chain that fork from one of the last blocks, parents first. */
async function findSideBlocks({
  store,
  chain,
  head,
  proofBlocks,
}: ConversionContext): Promise<readonly SealedHeader[]> {
  const first = head.number - BigInt(proofBlocks);
  const found: SealedHeader[] = [];
  for await (const [key, bytes] of store.table(TABLES.headers).iterate()) {
    const header = sealHeader(decodeHeader(bytes), toHex(key));
    if (header.number > first && chain.findHash(header.number) !== header.hash) found.push(header);
  }
  found.sort((a, b) => Number(a.number - b.number));
  const connected = new Set<Hash>();
  return found.filter(({ number, hash, parentHash }) => {
    const isOnChain = chain.findHash(number - 1n) === parentHash && number - 1n >= first;
    if (isOnChain || connected.has(parentHash)) connected.add(hash);
    return connected.has(hash);
  });
}
