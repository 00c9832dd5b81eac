import { existsSync } from "node:fs";
import {
  ChainStore,
  command,
  type MarkedHead,
  type MarkerContent,
  PlinthError,
  type StoredChain,
} from "@plinth/core";
import { type Backup, BackupFolder } from "./backup-folder.js";
import { noDatabase } from "./folders.js";

/** `db backup DIR`: copies the database, also of a running node; files that an earlier backup has are not copied again. */
export const backup = command({
  id: "db backup",
  summary: "Copies the database into a folder, also while the node runs.",
  flags: {},
  args: { placeholder: "DIR", summary: "An empty folder, or an earlier backup.", min: 1, max: 1 },
  async run({ args: [path = ""], io, storedChain }) {
    const stored = await storedChain();
    const { folder, files } = stored;
    if (!existsSync(folder)) throw noDatabase(folder);
    // Before the copy, which a running node may outgrow.
    const marked = await stored.marker.read();
    await using target = await BackupFolder.open(path);
    const { earlier, next } = target;
    try {
      const copied = await files.copy({
        folder,
        to: next,
        ...(earlier && { earlier: earlier.database }),
      });
      const head = await verifyCopy(stored, { next, marked, earlier });
      await target.complete(head);
      await io.write(
        `Backup in ${path}: blocks up to ${head.number} (${head.hash}); ${copied.files} files (${copied.bytes} bytes) copied, ${copied.reused} there already. The node key is not in it.`,
      );
    } catch (error) {
      await target.discard();
      throw error;
    }
  },
});

/** Opens the copy, which checks its files; throws when it holds less than the node or the earlier backup. */
async function verifyCopy(
  stored: StoredChain,
  on: {
    readonly next: string;
    readonly marked: MarkerContent;
    readonly earlier: Backup | undefined;
  },
): Promise<MarkedHead> {
  const { folder } = stored;
  const store = await stored.files.openCopy({ folder: on.next });
  try {
    await stored.verifyGenesis(store, folder);
    if (typeof on.marked === "object") stored.verifyMarkedHead(store, on.marked, folder);
    const head = stored.describeHead(store);
    if (head === undefined) throw failed(`${folder} has no block whose header can be read`);
    if (on.earlier !== undefined) verifyLater(new ChainStore(store), head, on.earlier.head);
    return head;
  } finally {
    await store.close();
  }
}

/** Throws when replacing the earlier backup would lose blocks. */
function verifyLater(chain: ChainStore, head: MarkedHead, earlier: Backup["head"]): void {
  const advice = "It was kept; choose another folder";
  if (earlier.genesisHash !== head.genesisHash) {
    throw failed(
      `the earlier backup is that of another chain, whose block 0 is ${earlier.genesisHash}. ${advice}`,
    );
  }
  if (chain.hasHeader(earlier.hash)) return;
  throw failed(
    `the earlier backup holds block ${earlier.number} (${earlier.hash}), which this database does not have; it ends at block ${head.number}. ${advice}`,
  );
}

function failed(message: string): PlinthError {
  return new PlinthError("BACKUP_FAILED", { message });
}
