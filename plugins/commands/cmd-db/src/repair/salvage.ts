import type { KeyValueStore, SealedBlock, SealedHeader } from "@plinth/core";
import type { StoredChain } from "@plinth/core/chain";
import { rebuildChain } from "./rebuild-chain.js";
import { type Salvaged, salvageEntries } from "./salvage-entries.js";

/** What is done along the way. */
export interface SalvageEvents {
  onProgress(entries: number): void;
  /** Takes the blocks after the last whole one that can be executed again. */
  saveBlock(block: SealedBlock): Promise<void>;
}

/** Copies what is left of a database into an empty one and makes a chain of it up to the last whole block. */
export async function salvageInto(
  target: KeyValueStore,
  stored: StoredChain,
  { onProgress, saveBlock }: SalvageEvents,
): Promise<Pick<Salvaged, "entries" | "damaged"> & { readonly head: SealedHeader }> {
  const { engine, derivedTables: derived } = stored;
  const items = stored.files.read({ folder: stored.folder });
  const { entries, damaged, canonical } = await salvageEntries(items, target, {
    engine,
    derived,
    onProgress,
  });
  await stored.writeGenesis(target);
  const head = await rebuildChain(target, { engine, canonical, saveBlock });
  return { entries, damaged, head };
}
