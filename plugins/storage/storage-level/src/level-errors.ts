import { messageOf, StorageError } from "@plinth/core";

/** What an operator can do about a damaged database. */
export const WAYS_OUT =
  "Ways out: plinth db repair, plinth db restore DIR, or another --data-path to synchronize again";

/** Explains why the database in a folder could not be opened, and what the operator can do. */
export function openFailure(folder: string, error: unknown): StorageError {
  switch (levelCode(error)) {
    case "LEVEL_LOCKED":
      return new StorageError("STORAGE_LOCKED", {
        message: `${folder} is in use by another process; stop it or choose another --data-path`,
        folder,
        cause: error,
      });
    case "LEVEL_CORRUPTION":
      return damaged(folder, error);
    default:
      return new StorageError("STORAGE_UNREADABLE", {
        message: `${folder} cannot be opened as a database: ${reasonOf(error)}`,
        folder,
        cause: error,
      });
  }
}

/** The error for a database that this process already has open. */
export function openedTwice(folder: string): StorageError {
  return new StorageError("STORAGE_LOCKED", {
    message: `${folder} is already in use by this process; close it or choose another --data-path`,
    folder,
  });
}

/** Another process has just put another database into the folder. */
export function replaced(folder: string): StorageError {
  return new StorageError("STORAGE_LOCKED", {
    message: `${folder} is in use by another process, which replaced it; stop it or choose another --data-path`,
    folder,
  });
}

/** Explains why the database in a folder could not be read. */
export function readFailure(folder: string, error: unknown): StorageError {
  if (levelCode(error) === "LEVEL_CORRUPTION") return damaged(folder, error);
  return new StorageError("STORAGE_UNREADABLE", {
    message: `${folder} cannot be read: ${reasonOf(error)}`,
    folder,
    cause: error,
  });
}

/** Explains why a batch could not be written to the database in a folder. */
export function commitFailure(folder: string, error: unknown): StorageError {
  return new StorageError("BATCH_FAILED", {
    message: `${folder} rejected a batch, and nothing of it was written: ${reasonOf(error)}`,
    folder,
    cause: error,
  });
}

/** Explains why commits could not be synced to disk. */
export function syncFailure(folder: string, error: unknown): StorageError {
  return new StorageError("SYNC_FAILED", {
    message: `${folder} could not be synced to the disk; commits since the last sync may be lost: ${reasonOf(error)}`,
    folder,
    cause: error,
  });
}

function damaged(folder: string, error: unknown): StorageError {
  return new StorageError("STORAGE_DAMAGED", {
    message: `${folder} is damaged: ${reasonOf(error)}. ${WAYS_OUT}`,
    folder,
    cause: error,
  });
}

/** The code of a LevelDB error; abstract-level puts the relevant one into the cause. */
function levelCode(error: unknown): unknown {
  const inner = innermost(error);
  return inner instanceof Error && "code" in inner ? inner.code : undefined;
}

function reasonOf(error: unknown): string {
  return messageOf(innermost(error));
}

function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
}
