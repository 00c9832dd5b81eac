import { type FileHandle, open } from "node:fs/promises";
import { encodeBlock, type SealedBlock } from "@plinth/core";

/**
 * A file of blocks that a repair removed from the chain and that can be imported again; created if
 * there are any.
 */
export class SavedBlocks implements AsyncDisposable {
  readonly #path: string;
  #file: FileHandle | undefined;
  #first: bigint | undefined;
  #last: bigint | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async add(block: SealedBlock): Promise<void> {
    this.#file ??= await open(this.#path, "w");
    await this.#file.write(encodeBlock(block));
    this.#first ??= block.header.number;
    this.#last = block.header.number;
  }

  /** What to do with them; empty if there are none. */
  advice(): string {
    if (this.#first === undefined) return "";
    return ` Blocks ${this.#first} to ${this.#last} can be re-executed: plinth blocks import ${this.#path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}
