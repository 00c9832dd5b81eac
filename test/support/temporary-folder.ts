import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is removed when it goes out of scope: `using folder = temporaryFolder()`. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** A path inside. */
  file(...names: readonly string[]): string;
  /** Removes a file or folder inside. */
  remove(...names: readonly string[]): void;
}

/** Creates an empty folder, by default in the system's temporary folder. */
export function temporaryFolder(parent = tmpdir()): TemporaryFolder {
  const path = mkdtempSync(join(parent, "plinth-"));
  return {
    path,
    file: (...names) => join(path, ...names),
    remove: (...names) => rmSync(join(path, ...names), { recursive: true, force: true }),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
