import { ChainStore } from "@plinth/chain";
import type { KeyValueStore } from "@plinth/core";

/** Removes the bodies and receipts before a block, as `--blocks-retained` does. */
export async function pruneBlocks(database: KeyValueStore, first: bigint): Promise<void> {
  const chain = new ChainStore(database);
  const batch = database.batch();
  for (let number = 1n; number < first; number++) {
    const block = chain.findBlock(chain.findHash(number) ?? "0x");
    if (block !== undefined) chain.removeBody(batch, block.header.hash, block.body.transactions);
  }
  chain.setFirstRetained(batch, first);
  await batch.commit();
}
