import { type Address, type Logger, StorageError } from "@plinth/core";
import { decodeMark, encodeMark, isAfter, type Mark, NO_MARK } from "./mark.js";
import type { SignedFile } from "./signed-file.js";
import type { Signing } from "./signing.js";

/** What a mark is kept with. */
export interface SignedMarkParts extends Omit<Signing, "file"> {
  readonly file: Pick<SignedFile, "name" | "read" | "write">;
  readonly address: Address;
  readonly log: Logger;
}

/**
 * How far this node has signed, in the database and in a file beside it.
 *
 * The database is written first. Where the file is later, the database was restored or removed, and lacks the record of
 * what was signed since: up to the file's mark nothing is signed. Where the database is later, the node was stopped
 * between the two, or the file is gone, and the database counts. Where there is neither, nothing is known to be signed.
 */
export class SignedMark {
  readonly #parts: SignedMarkParts;
  #mark = NO_MARK;

  constructor(parts: SignedMarkParts) {
    this.#parts = parts;
  }

  /** The last mark. */
  get current(): Mark {
    return this.#mark;
  }

  /**
   * Compares the copies; returns the mark that the database must have before anything is signed, `undefined` when it
   * has it. `known` is what follows from the records of a database without a mark.
   */
  async open(stored: Uint8Array | undefined, known: Mark = NO_MARK): Promise<Mark | undefined> {
    const { file, address } = this.#parts;
    const own = stored === undefined ? known : (decodeMark(stored, address) ?? NO_MARK);
    const beside = await file.read(address);
    if (beside === "damaged") this.#reportDamage(own);
    const last = typeof beside === "object" && isAfter(beside, own) ? raised(beside) : own;
    const mark = this.#obey(last);
    this.#mark = mark;
    if (mark !== own) return mark;
    // The file may be gone, or older by what the last stop kept from it.
    if (own !== NO_MARK) await file.write(own, address);
    return undefined;
  }

  /** The mark after something is signed for a block. */
  next({ height, round }: Pick<Mark, "height" | "round">): Mark {
    const mark = this.#mark;
    if (height > mark.height) return { ...mark, height, round, writes: 1 };
    const isRound = height === mark.height && round > mark.round;
    return { ...mark, round: isRound ? round : mark.round, writes: mark.writes + 1 };
  }

  /** A mark as the database has it. */
  encode(mark: Mark): Uint8Array {
    return encodeMark(mark, this.#parts.address);
  }

  /** Writes a mark that the database has into the file. */
  async written(mark: Mark): Promise<void> {
    this.#mark = mark;
    await this.#parts.file.write(mark, this.#parts.address);
  }

  /**
   * Why nothing is signed for a block, in words; `undefined` when it may be. `first` is the first block whose record is
   * kept.
   */
  explain(number: bigint, first: bigint): string | undefined {
    const { file, option } = this.#parts;
    const { height, floor, from } = this.#mark;
    const next = first > floor ? first : floor + 1n;
    if (number >= next) return undefined;
    if (from !== undefined && from === next)
      return `${option}=${from} lets it sign from block ${from} on`;
    const reason =
      number <= floor
        ? `${file.name} says that it has signed block ${floor}, of which its database has no record, as after a restored backup`
        : `it has signed block ${height} already, and its chain was moved back`;
    return `${reason}; it signs again from block ${next} on, once it has the blocks before from others; where no other node has them, ${option}=${number} lets it sign from block ${number} on`;
  }

  /** Applies what the operator says, once: the option may stay where it is. */
  #obey(mark: Mark): Mark {
    const { signFrom, log, option } = this.#parts;
    if (signFrom === mark.from) return mark;
    if (signFrom === undefined) return { ...mark, from: undefined };
    log.warn(
      `${option}=${signFrom}: this node signs from block ${signFrom} on, whatever it has signed before (up to block ${mark.height})`,
    );
    const before = signFrom - 1n;
    const nothing = { height: before, round: 0, writes: 0, floor: before };
    return { ...nothing, epoch: mark.epoch + 1, from: signFrom };
  }

  #reportDamage(own: Mark): void {
    const { file, option, signFrom, log } = this.#parts;
    if (own === NO_MARK && signFrom === undefined) {
      throw new StorageError("SIGNED_FILE_UNUSABLE", {
        message: `${file.name} is damaged, and the database does not know either what this node has signed; name the block from which it may sign with ${option}: one that the network has not reached yet`,
      });
    }
    log.warn(`${file.name} is damaged; the database says how far this node has signed`);
  }
}

/** A mark whose record the database lacks. */
function raised(mark: Mark): Mark {
  return { ...mark, floor: mark.height };
}
