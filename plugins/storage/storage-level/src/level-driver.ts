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
import { writeBufferBytes } from "./write-buffer.js";

/** Options of a database. */
export interface LevelSettings {
  /** Each recently read file is mapped into memory, 2 MiB at most. */
  readonly maxOpenFiles: number;
  /** Whether checksums are verified on reads; true by default. */
  readonly checksValues?: boolean;
  /** Called with the progress of the conversion from an older format. */
  readonly onConverted?: OnConverted;
  /** Total size of tables to read completely at the start; by default at least the latest one. */
  readonly maxTableBytes?: number;
  /** Called with the path of every table that is not. */
  readonly onSkipped?: (path: string) => void;
}

/** All files of a database of 512 MiB; LevelDB's default of 1,000 may map 2 GiB. */
export const USUAL_OPEN_FILES = 256;

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
 * LevelDB itself must let one process open a folder several times: worker threads read beside the writing thread. Two
 * stores in one thread are still a mistake.
 */
const openFolders = new Set<string>();

/**
 * Opens a folder whose files are checked before LevelDB opens them, and converts it to the current
 * format.
 */
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

/** Checks around an opening; none for readers, which open what another thread has checked. */
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
    // Loads a native library, at no cost for commands that need no database.
    const { ClassicLevel } = await import("classic-level");
    const { maxOpenFiles } = settings;
    const writeBufferSize = await writeBufferBytes(location);
    const options = { ...ENCODINGS, maxOpenFiles, writeBufferSize, multithreading: true };
    const level: Level = new ClassicLevel(location, options);
    await level.open();
    await closeUnless(level, checks?.after(level, location));
    const read = settings.checksValues === false ? dropChecksum : openValue;
    const release = () => openFolders.delete(location);
    // Readers open what another thread has checked, and writes.
    return new LevelStore({ level, folder, read, release, isReader: checks === undefined });
  } catch (error) {
    openFolders.delete(location);
    throw error instanceof StorageError ? error : openFailure(folder, error);
  }
}

/** Closes a database that turns out to be unusable. */
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

/** Creates the folder if it is missing; returns one canonical path for it. */
async function createFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    return await realpath(folder);
  } catch (error) {
    throw openFailure(folder, error);
  }
}
