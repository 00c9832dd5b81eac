import { PlinthError } from "@plinth/core";

/** A snapshot, or a file of one, that cannot be read or does not prove what it contains. */
export class SnapshotError extends PlinthError {}

/** Content that is wrong, of a file or the manifest. */
export function invalid(name: string, reason: string, cause?: unknown): SnapshotError {
  return new SnapshotError("SNAPSHOT_INVALID", { message: `${name}: ${reason}`, name, cause });
}

/** A source that does not deliver. */
export function unreadable(name: string, reason: string, cause?: unknown): SnapshotError {
  return new SnapshotError("SNAPSHOT_UNREADABLE", { message: `${name}: ${reason}`, name, cause });
}
