import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { KeyValueStore } from "@plinth/core";
import type { StoredChain } from "@plinth/core/chain";

/** Folders beside the database with links to its files, and the process that uses each. */
const NAME = /^\.snapshot-(\d+)-/;

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
  await removeAbandoned(dataPath);
  // Beside the database, so that links can be used.
  const copy = await mkdtemp(join(dataPath, `.snapshot-${process.pid}-`));
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

/** Removes what killed processes have left. */
async function removeAbandoned(dataPath: string): Promise<void> {
  for (const name of await readdir(dataPath)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (Number.isSafeInteger(pid) && !isRunning(pid)) {
      await rm(join(dataPath, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
