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

/** What a database must be changed to. */
export interface OpenedMark {
  readonly mark: Mark;
  /** Whether its record has no use any more: it is not whole, or the operator has said so. */
  readonly isVoid: boolean;
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

  /** The option with which the operator lets this node sign again. */
  get option(): string {
    return this.#parts.option;
  }

  /** The last mark. */
  get current(): Mark {
    return this.#mark;
  }

  /**
   * Compares the copies; returns what the database must be changed to before anything is signed, `undefined` when it is
   * as it must be. `known` is the highest block that it has a record of, with a mark or, from older versions, without.
   */
  async open(stored: Uint8Array | undefined, known: bigint): Promise<OpenedMark | undefined> {
    const { file, address } = this.#parts;
    const beside = await file.read(address);
    const own = this.#readOwn(stored, known, typeof beside === "object" ? beside : NO_MARK);
    if (beside === "damaged") this.#reportDamage(own);
    const isBehind = typeof beside === "object" && isAfter(beside, own);
    const last = isBehind ? { ...beside, floor: beside.height, isFloorNamed: false } : own;
    const mark = this.#obey(last);
    this.#mark = mark;
    if (mark !== own) return { mark, isVoid: isBehind || mark.epoch !== last.epoch };
    // The file may be gone, or older by what the last stop kept from it.
    if (own !== NO_MARK) await file.write(own, address);
    return undefined;
  }

  /** What the database says; an older version leaves a mark behind that is lower than its record, or none. */
  #readOwn(stored: Uint8Array | undefined, known: bigint, beside: Mark): Mark {
    const mark = stored && decodeMark(stored, this.#parts.address);
    if (known <= (mark?.height ?? 0n)) return mark ?? NO_MARK;
    return { ...(mark ?? beside), height: known, round: 0, writes: 0 };
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
    const { height, floor, isFloorNamed, from } = this.#mark;
    const next = first > floor ? first : floor + 1n;
    if (number >= next) return undefined;
    if (number <= floor && isFloorNamed) return `the operator lets it sign from block ${next} on`;
    const reason =
      number <= floor
        ? `${file.name} says that it has signed block ${floor}, of which its database has no record, as after a restored backup`
        : `it has signed block ${height} already, and its chain was moved back`;
    const again = from === number ? ", once it was started without it" : "";
    return `${reason}; it signs again from block ${next} on, once it has the blocks before from others. Only where all validators were moved back, ${option}=${number} lets it sign from block ${number} on${again}`;
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
    const nothing = { height: before, round: 0, writes: 0, floor: before, isFloorNamed: true };
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
