import { existsSync } from "node:fs";
import { ChainStore } from "@plinth/chain";
import { command, type KeyValueStore, PlinthError, StorageError } from "@plinth/core";
import type { MarkedHead, MarkerContent, StoredChain } from "@plinth/core/chain";
import type { CopiedFiles } from "@plinth/core/storage";
import { type Backup, BackupFolder } from "./backup-folder.js";
import { noDatabase } from "./folders.js";

/**
 * `db backup DIR`: copies the database, even of a running node; files of an earlier backup are not
 * copied again.
 */
export const backup = command({
  id: "db backup",
  summary:
    "Copies the database into a folder, even while the node runs; takes as long as copying the files, later only the new ones.",
  examples: ["plinth --genesis-file=genesis.json --data-path=data db backup /backups/monday"],
  flags: {},
  args: { placeholder: "DIR", summary: "An empty folder, or an earlier backup.", min: 1, max: 1 },
  uses: { chain: true },
  async run({ args: [path = ""], io, storedChain }) {
    const stored = await storedChain();
    if (!existsSync(stored.folder)) throw noDatabase(stored.folder);
    // Before the copy, which a running node may outgrow.
    const marked = await stored.marker.read();
    await using target = await BackupFolder.open(path);
    const { head, copied } = await copyInto(target, stored, marked);
    await target.complete(head);
    await io.write(
      `Backup in ${path}: blocks up to ${head.number} (${head.hash}); ${copied.files} files (${copied.bytes} bytes) copied, ${copied.reused} reused. The node key is not included.`,
    );
  },
});

/** Copies and checks; a file of the earlier backup that has become damaged is copied again. */
async function copyInto(
  target: BackupFolder,
  stored: StoredChain,
  marked: MarkerContent,
): Promise<{ readonly head: MarkedHead; readonly copied: CopiedFiles }> {
  const { earlier, next } = target;
  const attempt = async (reused: string | undefined) => {
    const places = { folder: stored.folder, to: next, ...(reused && { earlier: reused }) };
    const copied = await stored.files.copy(places);
    return { head: await verifyCopy(stored, { next, marked, earlier }), copied };
  };
  try {
    return await attempt(earlier?.database);
  } catch (error) {
    await target.discard();
    const isDamaged = error instanceof StorageError && error.code === "STORAGE_DAMAGED";
    if (!isDamaged || earlier === undefined) throw error;
  }
  try {
    return await attempt(undefined);
  } catch (error) {
    await target.discard();
    throw error;
  }
}

/**
 * Opens the copy, which checks its files; throws if it has fewer blocks than the node or the
 * earlier backup.
 */
async function verifyCopy(
  stored: StoredChain,
  on: {
    readonly next: string;
    readonly marked: MarkerContent;
    readonly earlier: Backup | undefined;
  },
): Promise<MarkedHead> {
  const { folder } = stored;
  const store = await openCopy(stored, on.next);
  try {
    await stored.verifyGenesis(store, folder);
    if (typeof on.marked === "object") stored.verifyMarkedHead(store, on.marked, folder);
    const head = stored.describeHead(store);
    if (head === undefined) throw failed(`${folder} has no block with a readable header`);
    if (on.earlier !== undefined) verifyLater(new ChainStore(store), head, on.earlier.head);
    return head;
  } finally {
    await store.close();
  }
}

/** The copied files are those of the node, so messages name them. */
async function openCopy({ files, folder }: StoredChain, next: string): Promise<KeyValueStore> {
  try {
    return await files.openCopy({ folder: next });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const message = error.message.replaceAll(next, folder);
    throw new StorageError(error.code, { ...error.details, message, cause: error });
  }
}

/** Throws if replacing the earlier backup would lose blocks. */
function verifyLater(chain: ChainStore, head: MarkedHead, earlier: Backup["head"]): void {
  const advice = "It was kept; choose another folder";
  if (earlier.genesisHash !== head.genesisHash) {
    throw failed(
      `the earlier backup belongs to another chain, whose block 0 is ${earlier.genesisHash}. ${advice}`,
    );
  }
  if (chain.hasHeader(earlier.hash)) return;
  throw failed(
    `the earlier backup has block ${earlier.number} (${earlier.hash}), which this database lacks; it ends at block ${head.number}. ${advice}`,
  );
}

function failed(message: string): PlinthError {
  return new PlinthError("BACKUP_FAILED", { message });
}
