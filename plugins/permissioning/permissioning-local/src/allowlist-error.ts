import { PlinthError } from "@plinth/core";

/** Why a list was not changed, with the messages of the `perm` methods. */
export class AllowlistError extends PlinthError {
  constructor(message: string, cause?: unknown) {
    super("ALLOWLIST_REFUSED", { message, ...(cause !== undefined && { cause }) });
  }
}

/** The file lacks entries in force. The change is in force, but not in the file. */
export const OUT_OF_SYNC =
  "The permissioning allowlist configuration file is out of sync.  The changes have been applied, but not persisted to disk";

/** The file could not be read or written; nothing was changed. */
export const NOT_PERSISTED =
  "Unable to persist changes to allowlist configuration file. Changes reverted";
