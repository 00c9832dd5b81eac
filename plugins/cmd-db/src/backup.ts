import { command, PlinthError, type StoredChain } from "@plinth/core";
import { prepareBackup } from "./backup-folder.js";

/** `db backup DIR`: copies the database, also of a running node; files that are there already are not copied again. */
export const backup = command({
  id: "db backup",
  summary: "Copies the database into a folder, also while the node runs.",
  flags: {},
  args: { placeholder: "DIR", summary: "An empty folder, or an earlier backup.", min: 1, max: 1 },
  async run({ args: [path = ""], io, storedChain }) {
    const stored = await storedChain();
    const to = await prepareBackup(path);
    const { files, bytes, reused } = await stored.files.copy({
      folder: stored.folder,
      to: to.database,
    });
    const head = await readHead(stored, to.database);
    await io.write(
      `Backup in ${path}: blocks up to ${head.number} (${head.hash}); ${files} files (${bytes} bytes) copied, ${reused} there already. The node key is not in it.`,
    );
  },
});

/** Opens the copy, which checks its files. */
async function readHead(stored: StoredChain, folder: string) {
  const store = await stored.files.openCopy({ folder });
  try {
    const head = stored.findHead(store);
    if (head !== undefined) return head;
    throw new PlinthError("BACKUP_FAILED", { message: `${stored.folder} has no block` });
  } finally {
    await store.close();
  }
}
