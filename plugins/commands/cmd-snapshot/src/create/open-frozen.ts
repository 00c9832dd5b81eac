import { rm } from "node:fs/promises";
import type { KeyValueStore } from "@plinth/core";
import type { StoredChain } from "@plinth/core/chain";
import { createProcessFolder } from "@plinth/kit-snapshot";

/** A database as it was at one moment, regardless of what a running node writes. */
export interface FrozenDatabase extends AsyncDisposable {
  readonly store: KeyValueStore;
}

/** Opens the database as it is now; the node may be running, and is not held up. */
export async function openFrozen({
  folder,
  dataPath,
  files,
}: StoredChain): Promise<FrozenDatabase> {
  // Beside the database, so that links can be used.
  const copy = await createProcessFolder(dataPath, ".snapshot-");
  const remove = () => rm(copy, { recursive: true, force: true });
  try {
    await files.copy({ folder, to: copy, earlier: folder });
    const store = await files.openCopy({ folder: copy });
    return {
      store,
      async [Symbol.asyncDispose]() {
        await store.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
