import { type Logger, messageOf } from "@plinth/core";
import { type FileEntry, SnapshotError, type SnapshotSource } from "@plinth/kit-snapshot";

/** Reads the files of a snapshot from several sources. */
export class SnapshotFiles {
  readonly #log: Pick<Logger, "warn">;
  /** The one that delivered last is asked first. */
  #sources: readonly SnapshotSource[];

  constructor(sources: readonly SnapshotSource[], log: Pick<Logger, "warn">) {
    this.#sources = sources;
    this.#log = log;
  }

  /** The content of a file, from the first source that delivers it; throws `SnapshotError` if none does. */
  async read(file: FileEntry, signal: AbortSignal): Promise<Uint8Array> {
    const reasons: string[] = [];
    for (const source of this.#sources) {
      try {
        const bytes = await source.read(file, { signal });
        this.#prefer(source);
        return bytes;
      } catch (error) {
        if (!(error instanceof SnapshotError)) throw error;
        const reason = `${file.name} cannot be read from ${source.name}: ${messageOf(error)}`;
        this.#log.warn(reason);
        reasons.push(reason);
      }
    }
    throw new SnapshotError("SNAPSHOT_UNREADABLE", {
      message: `${reasons.join("; ")}. Start the node again to continue`,
      name: file.name,
    });
  }

  #prefer(source: SnapshotSource): void {
    if (this.#sources[0] === source) return;
    this.#sources = [source, ...this.#sources.filter((other) => other !== source)];
  }
}
