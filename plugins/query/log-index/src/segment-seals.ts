import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hash } from "@plinth/core";

const SEALS = "PLINTH_SEALS.json";

/**
 * Which block each whole file ends with.
 *
 * Its hash stands for all blocks before it, so a file that was made of another chain is never taken for one
 * of this chain.
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

  /** Notes down what a file ends with, before the file is put in its place. */
  set(segment: number, hash: Hash): void {
    this.#seals[segment] = hash;
    const work = `${this.#path}.new`;
    writeFileSync(work, JSON.stringify(this.#seals));
    renameSync(work, this.#path);
  }
}

/** None where there is no such file, or it is damaged: then nothing is trusted. */
function readSeals(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  try {
    return { ...Object(JSON.parse(readFileSync(path, "utf8"))) };
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
