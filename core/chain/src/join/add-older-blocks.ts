import { type KeyValueStore, Yielder } from "@plinth/core";
import { type JoinedBlock, JoinRefused } from "@plinth/core/chain";
import { BATCH_BYTES } from "../store/batch-pieces.js";
import { ChainStore } from "../store/chain-store.js";
import { verifyJoinedBlock } from "./joined-block.js";

/** Writes blocks that end right before the first one that is kept, the last ones first. */
export async function addOlderBlocks(
  store: KeyValueStore,
  blocks: readonly JoinedBlock[],
): Promise<void> {
  const chain = new ChainStore(store);
  let number = chain.firstRetained();
  if (number <= BigInt(blocks.length)) {
    throw new JoinRefused(`${blocks.length} blocks do not fit before block ${number}`);
  }
  let batch = store.batch();
  let bytes = 0;
  const turns = new Yielder();
  for (const { body, receipts } of blocks.toReversed()) {
    await turns.yield();
    number -= 1n;
    const header = chain.headerAt(number);
    await verifyJoinedBlock(header, { body, receipts });
    bytes += chain.putOlder(batch, { block: { header, body }, receipts });
    if (bytes < BATCH_BYTES) continue;
    chain.setFirstRetained(batch, retainedFrom(number));
    await batch.commit();
    batch = store.batch();
    bytes = 0;
  }
  chain.setFirstRetained(batch, retainedFrom(number));
  await batch.commit();
}

/** Block 0 is always whole. */
export function retainedFrom(number: bigint): bigint {
  return number === 1n ? 0n : number;
}
