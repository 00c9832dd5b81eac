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
    super("FOLLOW_SOURCE", { message: `${source}: ${oneLine(problem)}`, cause });
    this.status = status;
  }
}

const MAX_CHARACTERS = 1000;

/** A source decides about parts of a problem: they add no lines to a log, and do not fill it. */
function oneLine(problem: string): string {
  return problem.slice(0, MAX_CHARACTERS).replace(/\s+/g, " ");
}
