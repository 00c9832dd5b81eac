import type { FileEntry } from "@plinth/kit-snapshot";

/** Maximum number and size of files that are read before they are needed. */
const MAX_FILES = 16;
const MAX_BYTES = 4 * 2 ** 20;

/** Reads files in order, and the next ones while one is processed. */
export class ReadAhead {
  readonly #files: readonly FileEntry[];
  readonly #places: ReadonlyMap<FileEntry, number>;
  readonly #read: (file: FileEntry) => Promise<Uint8Array>;
  readonly #pending = new Map<FileEntry, Promise<Uint8Array>>();

  constructor(files: readonly FileEntry[], read: (file: FileEntry) => Promise<Uint8Array>) {
    this.#files = files;
    this.#places = new Map(files.map((file, index) => [file, index]));
    this.#read = read;
  }

  /** The content of a file. */
  take(file: FileEntry): Promise<Uint8Array> {
    const taken = this.#start(file);
    this.#pending.delete(file);
    let bytes = file.bytes;
    const after = (this.#places.get(file) ?? 0) + 1;
    for (const next of this.#files.slice(after, after + MAX_FILES)) {
      bytes += next.bytes;
      if (bytes > MAX_BYTES) break;
      void this.#start(next);
    }
    return taken;
  }

  #start(file: FileEntry): Promise<Uint8Array> {
    const known = this.#pending.get(file);
    if (known !== undefined) return known;
    const started = this.#read(file);
    // An error is that of the later call.
    started.catch(() => {});
    this.#pending.set(file, started);
    return started;
  }
}
