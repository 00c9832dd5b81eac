import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { command, PlinthError, type StoredChain } from "@plinth/core";
import { findBackup } from "./backup-folder.js";
import { nameAside, replaceFolder } from "./folders.js";

/** `db restore DIR`: puts a backup in the place of the database, which is put aside. */
export const restore = command({
  id: "db restore",
  summary: "Puts a backup in the place of the database.",
  flags: {},
  args: { placeholder: "DIR", summary: "The folder of a backup.", min: 1, max: 1 },
  async run({ args: [path = ""], io, storedChain }) {
    const stored = await storedChain();
    const { folder, files } = stored;
    const from = await findBackup(path);
    await using _lock = await files.lock({ folder });
    const next = `${folder}.restoring`;
    await rm(next, { recursive: true, force: true });
    await files.copy({ folder: from.database, to: next });
    const head = await markHead(stored, next);
    const aside = existsSync(folder) ? nameAside(folder, "before-restore") : undefined;
    await replaceFolder(folder, { next, aside });
    const kept = aside === undefined ? "" : ` The database of before is kept in ${aside}.`;
    await io.write(`Restored: blocks up to ${head.number} (${head.hash}).${kept}`);
  },
});

/** Opens the copy, which checks its files, and writes the marker that belongs to it. */
async function markHead(stored: StoredChain, folder: string) {
  const store = await stored.files.openCopy({ folder });
  try {
    const head = stored.findHead(store);
    if (head === undefined) {
      throw new PlinthError("BACKUP_FAILED", { message: "the backup has no block" });
    }
    await stored.markHead(store);
    return head;
  } finally {
    await store.close();
  }
}
