import { StorageError } from "@plinth/core";

/** The result of a read; `undefined` if the entry is damaged. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StorageError && error.code === "STORAGE_DAMAGED") return undefined;
    throw error;
  }
}
