import { existsSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Address, type Hash, messageOf, type Runtime, StorageError } from "@plinth/core";
import { decodeChecked, encodeChecked, replaceFile } from "@plinth/core/storage";
import type { Mark } from "./mark.js";

/**
 * Marks are shorter; each has its own disk sector, so that a torn write damages only one of them.
 */
const SLOT_BYTES = 4096;

/** The folder of a database on disk. */
const DATABASE = "database";

/** The content of a file, or why it cannot be read. */
export type SignedFileContent = Mark | "missing" | "damaged";

/**
 * A file beside the database that records how far this node has signed.
 *
 * Restoring a backup of the database does not revert it. It has two marks, and the older one is
 * overwritten in place: a crash leaves the other.
 */
export class SignedFile {
  readonly name: string;
  #path: string | undefined;
  #chain: Hash | undefined;
  /** The slot to write next. */
  #slot = 0;
  /** Number of writes of the file: of two marks the one with the higher number is the last. */
  #sequence = 0;
  /** Whether both slots exist and one has a mark of this signer. */
  #exists = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Uses the file in the data folder of a node; `undefined` if the database is in memory. */
  open({ dataPath, chain }: Pick<Runtime, "dataPath" | "chain">): void {
    this.#path = existsSync(join(dataPath, DATABASE)) ? join(dataPath, this.name) : undefined;
    this.#chain = chain.blocks.findHeader(0n)?.hash;
  }

  /** The last mark of a signer; marks of another key or another chain are ignored. */
  async read(address: Address): Promise<SignedFileContent> {
    const text = await this.#readText();
    if (text === undefined) return "missing";
    const slots = [text.subarray(0, SLOT_BYTES), text.subarray(SLOT_BYTES)];
    const marks = slots.map((slot) => readSlot(slot.toString()));
    if (marks.every((each) => each === undefined)) return "damaged";
    const [first, second] = marks.map((each) =>
      each?.address === address && each.chain === this.#chain ? each : undefined,
    );
    const isFirst = (first?.sequence ?? -1) > (second?.sequence ?? -1);
    const last = isFirst ? first : second;
    this.#slot = isFirst ? 1 : 0;
    this.#sequence = last?.sequence ?? 0;
    this.#exists = last !== undefined;
    return last?.mark ?? "missing";
  }

  /** Writes a mark; it is on disk when the promise settles. */
  async write(mark: Mark, address: Address): Promise<void> {
    const path = this.#path;
    if (path === undefined) return;
    this.#sequence++;
    const owner = { address, chain: this.#chain, sequence: this.#sequence };
    const slot = encodeChecked({ ...owner, ...toJson(mark) }).padEnd(SLOT_BYTES, " ");
    try {
      // It may have been removed meanwhile.
      if (this.#exists && existsSync(path)) await this.#overwrite(path, slot);
      else await this.#create(path, slot);
    } catch (error) {
      throw new StorageError("SIGNED_FILE_UNUSABLE", {
        message: `${path} cannot be written, and this node signs nothing until it can: ${messageOf(error)}`,
        cause: error,
      });
    }
  }

  async #overwrite(path: string, slot: string): Promise<void> {
    const file = await open(path, "r+");
    try {
      await file.write(slot, this.#slot * SLOT_BYTES);
      await file.datasync();
    } finally {
      await file.close();
    }
    this.#slot = 1 - this.#slot;
  }

  async #create(path: string, slot: string): Promise<void> {
    await replaceFile(path, slot + slot, { isSynced: true });
    const folder = await open(dirname(path), "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    this.#exists = true;
  }

  async #readText(): Promise<Buffer | undefined> {
    if (this.#path === undefined) return undefined;
    try {
      return await readFile(this.#path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new StorageError("SIGNED_FILE_UNUSABLE", {
        message: `${this.#path} cannot be read: ${messageOf(error)}`,
        cause: error,
      });
    }
  }
}

function toJson({ height, floor, from, ...rest }: Mark): object {
  const heights = { height: String(height), floor: String(floor) };
  return { ...rest, ...heights, ...(from === undefined ? {} : { from: String(from) }) };
}

function readSlot(text: string) {
  const content = decodeChecked(text);
  if (content === undefined) return undefined;
  const { address, chain, sequence, epoch, height, round, writes, floor, from } = content;
  const mark: Mark = {
    epoch: Number(epoch),
    height: BigInt(String(height)),
    round: Number(round),
    writes: Number(writes),
    floor: BigInt(String(floor)),
    isFloorNamed: content.isFloorNamed === true,
    from: from === undefined ? undefined : BigInt(String(from)),
  };
  return { address, chain, sequence: Number(sequence), mark };
}
