/** The classification of an error, with Besu's names. */
export type Classification =
  | "DataFetchingException"
  | "ValidationError"
  | "InvalidSyntax"
  | "ExecutionAborted";

/** A line and a column, counted from one. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** An error as shown to callers. */
export interface AnsweredError {
  readonly message: string;
  readonly locations?: readonly Place[];
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly errorCode?: number;
    readonly errorMessage?: string;
    readonly classification: Classification;
  };
}

/** Why a request is not executed at all. */
export class Refusal extends Error {
  readonly errors: readonly AnsweredError[];

  constructor(errors: readonly AnsweredError[]) {
    super(errors[0]?.message);
    this.errors = errors;
  }

  /** One error, with or without a position in the document. */
  static of(message: string, classification: Classification, locations?: readonly Place[]) {
    const places = locations === undefined ? {} : { locations };
    return new Refusal([{ message, ...places, extensions: { classification } }]);
  }
}
