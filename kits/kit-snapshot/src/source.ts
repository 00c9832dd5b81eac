import type { FileEntry, Manifest } from "./manifest.js";

/** How a read can be aborted. */
export interface ReadOptions {
  readonly signal: AbortSignal;
}

/** A place from which the files of a snapshot are read. */
export interface SnapshotSource {
  /** The folder or address. */
  readonly name: string;
  /** Throws `SnapshotError` if it cannot be read or is malformed. */
  readManifest(options: ReadOptions): Promise<Manifest>;
  /** The decompressed content of a file; throws `SnapshotError` unless it is that of the manifest. */
  read(file: FileEntry, options: ReadOptions): Promise<Uint8Array>;
}
