import { PlinthError } from "@plinth/core";

/** A source that cannot be followed for now: it does not respond, rejects requests, or delivers what cannot be true. */
export class SourceProblem extends PlinthError {
  /** The HTTP status, if the source rejected the request. */
  readonly status: number | undefined;

  constructor(
    source: string,
    problem: string,
    { status, cause }: { readonly status?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super("FOLLOW_SOURCE", { message: `${source}: ${problem}`, cause });
    this.status = status;
  }
}
