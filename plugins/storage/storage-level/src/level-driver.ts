import { mkdir, realpath } from "node:fs/promises";
import type { StorageDriver } from "@plinth/core";
import { type KeyValueStore, StorageError } from "@plinth/core";
import { verifyFiles, verifyNothingDropped } from "./check-open.js";
import { ensureFormat, type OnConverted } from "./database-format.js";
import { verifyOwnFolder } from "./foreign-folder.js";
import { openedTwice, openFailure } from "./level-errors.js";
import { createLevelFiles } from "./level-files.js";
import { ENCODINGS, type Level } from "./store/level.js";
import { LevelStore } from "./store/level-store.js";
import { dropChecksum, openValue } from "./value-checksum.js";

/** How a database is opened. */
export interface LevelSettings {
  /** Each that was read lately is mapped into memory, 2 MiB at most. */
  readonly maxOpenFiles: number;
  /** Whether values are checked when they are read; they are when left out. */
  readonly checksValues?: boolean;
  /** Called with the progress of the conversion from an older format. */
  readonly onConverted?: OnConverted;
  /** Tables are read whole at the start up to this size in total; 1 GiB when left out. */
  readonly maxTableBytes?: number;
  /** Called with the path of every table that is not. */
  readonly onSkipped?: (path: string) => void;
}

/** Keeps the process small; LevelDB's own 1,000 may map 2 GiB. */
export const USUAL_OPEN_FILES = 80;

/** The driver `leveldb`: the database is a folder of LevelDB files. */
export function createLevelStorageDriver(
  settings: LevelSettings = { maxOpenFiles: USUAL_OPEN_FILES },
): StorageDriver {
  const open = (folder: string) => openChecked(folder, settings);
  return {
    name: "leveldb",
    open: ({ folder }) => open(folder),
    // LevelDB has one database per process and folder, which its threads share.
    openReader: ({ folder }) => openLevelStore(folder, settings),
    files: createLevelFiles({ open, verifyClosed }),
  };
}

/**
 * The folders this thread holds open.
 *
 * LevelDB itself must let one process open a folder several times: worker threads read beside the thread
 * that writes. Two stores in one thread are a mistake all the same.
 */
const openFolders = new Set<string>();

/** Opens a folder whose files are checked before LevelDB sees them, and brings it to the current format. */
async function openChecked(folder: string, settings: LevelSettings): Promise<KeyValueStore> {
  await verifyOwnFolder(folder);
  return openLevelStore(folder, settings, {
    before: (location) => verifyFiles(location, settings),
    async after(level, location) {
      await verifyNothingDropped(location);
      await ensureFormat(level, location, settings.onConverted);
    },
  });
}

/** What is done around an opening; nothing for readers, which open what another thread has checked. */
interface OpeningChecks {
  before(location: string): Promise<void>;
  after(level: Level, location: string): Promise<void>;
}

async function openLevelStore(
  folder: string,
  settings: LevelSettings,
  checks?: OpeningChecks,
): Promise<KeyValueStore> {
  const location = await createFolder(folder);
  if (openFolders.has(location)) throw openedTwice(folder);
  openFolders.add(location);
  try {
    await checks?.before(location);
    // Loads a native library, which a command that needs no database should not pay for.
    const { ClassicLevel } = await import("classic-level");
    const { maxOpenFiles } = settings;
    const options = { ...ENCODINGS, maxOpenFiles, multithreading: true };
    const level: Level = new ClassicLevel(location, options);
    await level.open();
    await closeUnless(level, checks?.after(level, location));
    const read = settings.checksValues === false ? dropChecksum : openValue;
    return new LevelStore({ level, folder, read, release: () => openFolders.delete(location) });
  } catch (error) {
    openFolders.delete(location);
    throw error instanceof StorageError ? error : openFailure(folder, error);
  }
}

/** Closes a database that turns out not to be fit for use. */
async function closeUnless(level: Level, check: Promise<void> | undefined): Promise<void> {
  try {
    await check;
  } catch (error) {
    await level.close();
    throw error;
  }
}

async function verifyClosed(folder: string): Promise<void> {
  const location = await realpath(folder).catch(() => folder);
  if (openFolders.has(location)) throw openedTwice(folder);
}

/** Creates the folder where it is missing; one path for it, however it was written. */
async function createFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    return await realpath(folder);
  } catch (error) {
    throw openFailure(folder, error);
  }
}
