import { constants } from "node:fs";
import { access, type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isFileName, MANIFEST } from "@plinth/kit-snapshot";

/** Names of snapshots: no separators, and none that are hidden or incomplete. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MAX_LISTED = 1000;

/** A folder whose folders are snapshots; only their files are accessible. */
export class SnapshotFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The names of the complete snapshots, in order. */
  async list(): Promise<readonly string[]> {
    const names = await readdir(this.#path).catch(emptyIfMissing);
    const found: string[] = [];
    for (const name of names.sort().slice(0, MAX_LISTED)) {
      if (NAME.test(name) && (await this.#isComplete(name))) found.push(name);
    }
    return found;
  }

  /** Opens a file of a snapshot; `undefined` if there is none of that name. */
  async open(snapshot: string, file: string): Promise<FileHandle | undefined> {
    if (!NAME.test(snapshot) || !(file === MANIFEST || isFileName(file))) return undefined;
    // A link or a pipe could lead anywhere, or never end.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(join(this.#path, snapshot, file), flags).catch(() => undefined);
    if (handle === undefined || (await handle.stat()).isFile()) return handle;
    await handle.close();
    return undefined;
  }

  #isComplete(name: string): Promise<boolean> {
    return access(join(this.#path, name, MANIFEST)).then(
      () => true,
      () => false,
    );
  }
}

function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
