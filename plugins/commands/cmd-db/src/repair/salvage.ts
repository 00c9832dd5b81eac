import type { KeyValueStore, SealedBlock } from "@plinth/core";
import type { StoredChain } from "@plinth/core/chain";
import { type RebuiltChain, rebuildChain } from "./rebuild-chain.js";
import { type Salvaged, salvageEntries } from "./salvage-entries.js";

/** Callbacks of a repair. */
export interface SalvageEvents {
  onProgress(entries: number): void;
  /** Receives the blocks after the last intact one that can be re-executed. */
  saveBlock(block: SealedBlock): Promise<void>;
}

/**
 * Copies the readable parts of a database into an empty one and rebuilds a chain up to the last
 * intact block.
 */
export async function salvageInto(
  target: KeyValueStore,
  stored: StoredChain,
  { onProgress, saveBlock }: SalvageEvents,
): Promise<Pick<Salvaged, "entries" | "damaged"> & RebuiltChain> {
  const { engine, derivedTables: derived } = stored;
  const items = stored.files.read({ folder: stored.folder });
  const { entries, damaged, canonical } = await salvageEntries(items, target, {
    engine,
    derived,
    onProgress,
  });
  await stored.writeGenesis(target);
  const resetState = () => stored.resetState(target);
  const rebuilt = await rebuildChain(target, { engine, canonical, resetState, saveBlock });
  return { entries, damaged, ...rebuilt };
}
