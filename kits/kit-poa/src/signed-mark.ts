import { type Address, type Logger, StorageError } from "@plinth/core";
import { decodeMark, encodeMark, isAfter, type Mark, NO_MARK } from "./mark.js";
import type { SignedFile } from "./signed-file.js";
import type { Signing } from "./signing.js";

/** The dependencies of a mark. */
export interface SignedMarkParts extends Omit<Signing, "file"> {
  readonly file: Pick<SignedFile, "name" | "read" | "write">;
  readonly address: Address;
  readonly log: Logger;
}

/** The required change of a database. */
export interface OpenedMark {
  readonly mark: Mark;
  /** Whether its record is obsolete: it is incomplete, or the operator overrides it. */
  readonly isVoid: boolean;
}

/**
 * How far this node has signed, in the database and in a file beside it.
 *
 * The database is written first. If the file is later, the database was restored or removed, and
 * lacks the record of what was signed since: nothing is signed up to the file's mark. If the
 * database is later, the node was stopped between the two, or the file is missing, and the database
 * counts. If there is neither, nothing is known to be signed.
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
   * Compares the copies; returns the required change of the database before anything is signed,
   * `undefined` if there is none. `known` is the highest block that it has a record of, with a mark
   * or, from older versions, without.
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
    // The file may be missing, or older because the last stop interrupted its write.
    if (own !== NO_MARK) await file.write(own, address);
    return undefined;
  }

  /**
   * The mark of the database; an older version leaves a mark that is lower than its record, or
   * none.
   */
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

  /** A mark as stored in the database. */
  encode(mark: Mark): Uint8Array {
    return encodeMark(mark, this.#parts.address);
  }

  /** Writes the database's mark into the file. */
  async written(mark: Mark): Promise<void> {
    this.#mark = mark;
    await this.#parts.file.write(mark, this.#parts.address);
  }

  /**
   * Why nothing is signed for a block, as text; `undefined` if it may be. `first` is the first
   * block whose record is kept.
   */
  explain(number: bigint, first: bigint): string | undefined {
    const { file, option } = this.#parts;
    const { height, floor, isFloorNamed, from } = this.#mark;
    const next = first > floor ? first : floor + 1n;
    if (number >= next) return undefined;
    if (number <= floor && isFloorNamed) return `the operator lets it sign from block ${next} on`;
    const reason =
      number <= floor
        ? `${file.name} records that it has signed block ${floor}, of which its database has no record, as after a restored backup`
        : `it has already signed block ${height}, and its chain was rewound`;
    const again = from === number ? ", once it was started without it" : "";
    return `${reason}; it signs again from block ${next} on, once it has received the earlier blocks from others. Only if all validators were rewound, ${option}=${number} lets it sign from block ${number} on${again}`;
  }

  /** Applies the operator's option once: it may stay set. */
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
        message: `${file.name} is damaged, and the database has no record of what this node has signed either; set the block from which it may sign with ${option}: one that the network has not reached yet`,
      });
    }
    log.warn(`${file.name} is damaged; the database records how far this node has signed`);
  }
}
