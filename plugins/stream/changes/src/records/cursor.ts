import { type Hash, PlinthError } from "@plinth/core";

/** The next record that a reader expects. */
export interface Cursor {
  readonly sequence: bigint;
  /** The hash of the record before it, if the reader knows it; the id of the stream before the first one. */
  readonly previous?: Hash | undefined;
}

/** Why a stream does not have the next record of a reader. */
export type CursorProblem = "pruned" | "beyond" | "other-stream";

/** A cursor from which a stream cannot be read; the message names the records that are kept. */
export class CursorRefused extends PlinthError {
  readonly problem: CursorProblem;

  constructor(problem: CursorProblem, message: string) {
    super("CHANGES_CURSOR_REFUSED", { message });
    this.problem = problem;
  }
}
