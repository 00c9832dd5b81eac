import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import {
  type CommandIo,
  ConfigError,
  command,
  type KeyValueStore,
  type SealedHeader,
  type StoredChain,
} from "@plinth/core";
import { nameAside, replaceFolder } from "../folders.js";
import { SavedBlocks } from "../saved-blocks.js";
import { salvageInto } from "./salvage.js";

const ENTRIES_PER_LINE = 1_000;

/** `db repair`: goes back to the last whole block; the damaged database is put aside. */
export const repair = command({
  id: "db repair",
  summary: "Makes a damaged database usable again, up to its last whole block.",
  flags: {},
  async run({ io, log, storedChain }) {
    const stored = await storedChain();
    const { folder } = stored;
    const marked = await stored.marker.read(log);
    if (!existsSync(folder)) throw noDatabase(folder);
    await using _lock = await stored.files.lock({ folder });
    const next = `${folder}.repairing`;
    // Left by a repair that was interrupted.
    await rm(next, { recursive: true, force: true });
    const time = new Date();
    await using saved = new SavedBlocks(`${nameAside(folder, "blocks", time)}.rlp`);
    const { damaged, entries, head } = await salvage(stored, { next, io, saved });
    io.status?.clear();
    const lost = describeLost(head.number, marked?.number);
    if (damaged === 0 && (await isHead(stored, head))) {
      await rm(next, { recursive: true });
      await io.write(`Nothing to repair: the database is whole up to block ${head.number}.${lost}`);
      return;
    }
    const aside = nameAside(folder, "damaged", time);
    await replaceFolder(folder, { next, aside });
    await io.write(
      `Repaired: ${entries} entries, ${damaged} damaged places left out. The chain ends at block ${head.number} (${head.hash}).${lost} The damaged database is kept in ${aside}.${saved.advice()}`,
    );
  },
});

function describeLost(head: bigint, marked = head): string {
  if (marked <= head) return "";
  return ` Blocks ${head + 1n} to ${marked} are missing.`;
}

async function salvage(
  stored: StoredChain,
  on: { readonly next: string; readonly io: CommandIo; readonly saved: SavedBlocks },
) {
  const store = await stored.create(on.next);
  try {
    const salvaged = await salvageInto(store, stored, {
      onProgress: (entries) => {
        if (entries % ENTRIES_PER_LINE === 0) on.io.status?.show(`entry ${entries}`);
      },
      saveBlock: (block) => on.saved.add(block),
    });
    await stored.markHead(store);
    return salvaged;
  } finally {
    await store.close();
  }
}

/** Whether the database as it is can be opened and has this head. */
async function isHead(stored: StoredChain, head: SealedHeader): Promise<boolean> {
  let store: KeyValueStore | undefined;
  try {
    store = await stored.openReadOnly();
    return stored.findHead(store)?.hash === head.hash;
  } catch {
    return false;
  } finally {
    await store?.close();
  }
}

function noDatabase(folder: string): ConfigError {
  return new ConfigError("DATABASE_MISSING", { message: `${folder} is not there` });
}
