import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { command, StorageError } from "@plinth/core";
import type { MarkedHead, MarkerContent, StoredChain } from "@plinth/core/chain";
import { type Backup, findBackup } from "./backup-folder.js";
import { nameAside, replaceFolder } from "./folders.js";

/** `db restore DIR`: replaces the database by a backup; the database is set aside. */
export const restore = command({
  id: "db restore",
  summary: "Replaces the database by a backup; takes as long as copying the files.",
  examples: ["plinth --genesis-file=genesis.json --data-path=data db restore /backups/monday"],
  flags: {},
  args: { placeholder: "DIR", summary: "The folder of a backup.", min: 1, max: 1 },
  uses: { chain: true },
  async run({ args: [path = ""], io, storedChain }) {
    const stored = await storedChain();
    const { folder, files } = stored;
    const backup = await findBackup(path);
    const marked = await stored.marker.read();
    await using _lock = await files.lock({ folder });
    const next = `${folder}.restoring`;
    // Left by an interrupted restore.
    await rm(next, { recursive: true, force: true });
    const aside = existsSync(folder) ? nameAside(folder, "before-restore") : undefined;
    try {
      await files.copy({ folder: backup.database, to: next });
      await stored.marker.write(await verifyCopy(stored, { next, backup, marked, path }));
      await replaceFolder(folder, { next, aside });
    } catch (error) {
      await rm(next, { recursive: true, force: true });
      throw error;
    }
    const { number, hash } = backup.head;
    const kept = aside === undefined ? "" : ` The previous database is kept in ${aside}.`;
    await io.write(
      `Restored: blocks up to ${number} (${hash}).${describeMissing(number, marked)}${kept}`,
    );
  },
});

/** Opens the copy, which checks its files, and returns its head marker. */
async function verifyCopy(
  stored: StoredChain,
  on: {
    readonly next: string;
    readonly path: string;
    readonly backup: Backup;
    readonly marked: MarkerContent;
  },
): Promise<MarkedHead> {
  const { next, path, backup, marked } = on;
  const store = await stored.files.openCopy({ folder: next });
  try {
    await stored.verifyGenesis(store, path);
    if (typeof marked === "object") stored.verifyMarkedChain(store, marked, path);
    const head = stored.describeHead(store);
    if (head?.hash === backup.head.hash) return head;
    throw new StorageError("BACKUP_FAILED", {
      message: `${path} is damaged: it was made with block ${backup.head.number} (${backup.head.hash}) and ends at ${head === undefined ? "none" : `block ${head.number}`}`,
    });
  } finally {
    await store.close();
  }
}

function describeMissing(head: bigint, marked: MarkerContent): string {
  if (typeof marked === "string" || marked.number <= head) return "";
  return ` Blocks ${head + 1n} to ${marked.number} are not in the backup.`;
}
