import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hash } from "@plinth/core";

const SEALS = "PLINTH_SEALS.json";

/**
 * The last block of each complete file.
 *
 * Its hash commits to all blocks before it, so a file of another chain is never mistaken for one of this chain.
 */
export class SegmentSeals {
  readonly #path: string;
  readonly #seals: Record<string, unknown>;

  constructor(folder: string) {
    this.#path = join(folder, SEALS);
    this.#seals = readSeals(this.#path);
  }

  find(segment: number): unknown {
    return this.#seals[segment];
  }

  /** Records the last block of a file, before the file is put in place. */
  set(segment: number, hash: Hash): void {
    this.#seals[segment] = hash;
    const work = `${this.#path}.new`;
    writeFileSync(work, JSON.stringify(this.#seals));
    renameSync(work, this.#path);
  }
}

/** Empty if the file is missing or damaged: then nothing is trusted. */
function readSeals(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  try {
    return { ...Object(JSON.parse(readFileSync(path, "utf8"))) };
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
