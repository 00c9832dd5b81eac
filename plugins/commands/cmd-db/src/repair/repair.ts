import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import {
  type CommandIo,
  command,
  InvariantError,
  type KeyValueStore,
  type SealedHeader,
} from "@plinth/core";
import type { MarkerContent, StoredChain } from "@plinth/core/chain";
import { nameAside, noDatabase, replaceFolder } from "../folders.js";
import { SavedBlocks } from "../saved-blocks.js";
import { salvageInto } from "./salvage.js";

const ENTRIES_PER_LINE = 1_000;

/** `db repair`: rewinds to the last intact block; the damaged database is set aside. */
export const repair = command({
  id: "db repair",
  summary:
    "Makes a damaged database usable again, up to its last intact block; takes as long as reading and rewriting all files.",
  examples: ["plinth --genesis-file=genesis.json --data-path=data db repair"],
  flags: {},
  uses: { chain: true },
  async run({ io, storedChain }) {
    const stored = await storedChain();
    const { folder } = stored;
    const marked = await stored.marker.read();
    if (!existsSync(folder)) throw noDatabase(folder);
    await using _lock = await stored.files.lock({ folder });
    const next = `${folder}.repairing`;
    // Left by an interrupted repair.
    await rm(next, { recursive: true, force: true });
    const time = new Date();
    await using saved = new SavedBlocks(`${nameAside(folder, "blocks", time)}.rlp`);
    const salvaged = await salvage(stored, { next, io, saved, marked });
    const { damaged, entries, head, hasNewTries, marker } = salvaged;
    io.status?.clear();
    const lost = describeLost(head.number, marked);
    if (damaged === 0 && !hasNewTries && (await isIntact(stored, head))) {
      await rm(next, { recursive: true });
      await stored.marker.write(marker);
      await io.write(
        lost === ""
          ? `Nothing to repair: the database is intact up to block ${head.number}.`
          : `The database is intact up to block ${head.number}, but had reached more.${lost} The node will start without them.`,
      );
      return;
    }
    const aside = nameAside(folder, "damaged", time);
    await stored.marker.write(marker);
    await replaceFolder(folder, { next, aside });
    await io.write(
      `Repaired: ${entries} entries, ${damaged} damaged places skipped${hasNewTries ? ", the tries written again" : ""}. The chain ends at block ${head.number} (${head.hash}).${lost} The damaged database is kept in ${aside}.${saved.advice()}`,
    );
  },
});

function describeLost(head: bigint, marked: MarkerContent): string {
  if (typeof marked === "string" || marked.number <= head) return "";
  return ` Blocks ${head + 1n} to ${marked.number} are missing.`;
}

/** Fills a new database with what is left; throws, and leaves none, if that is another chain. */
async function salvage(
  stored: StoredChain,
  on: {
    readonly next: string;
    readonly io: CommandIo;
    readonly saved: SavedBlocks;
    readonly marked: MarkerContent;
  },
) {
  const store = await stored.create(on.next);
  try {
    const salvaged = await salvageInto(store, stored, {
      onProgress: (entries) => {
        if (entries % ENTRIES_PER_LINE === 0) on.io.status?.show(`entry ${entries}`);
      },
      saveBlock: (block) => on.saved.add(block),
    });
    await stored.verifyGenesis(store, stored.folder);
    if (typeof on.marked === "object") {
      stored.verifyMarkedChain(store, on.marked, stored.folder);
    }
    const marker = stored.describeHead(store);
    if (marker === undefined) throw new InvariantError("a rebuilt chain has no head");
    await store.close();
    return { ...salvaged, marker };
  } catch (error) {
    await store.close();
    await rm(on.next, { recursive: true, force: true });
    throw error;
  }
}

/** Whether the current database can be opened, has this head, and every block up to it with its indexes. */
async function isIntact(stored: StoredChain, head: SealedHeader): Promise<boolean> {
  let store: KeyValueStore | undefined;
  try {
    store = await stored.openReadOnly();
    if (stored.findHead(store)?.hash !== head.hash) return false;
    for (const { problems } of stored.verifyBlocks(store)) if (problems.length > 0) return false;
    return true;
  } catch {
    return false;
  } finally {
    await store?.close();
  }
}
