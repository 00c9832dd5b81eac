import type { PrivateProblem } from "./verify-private-transaction.js";

/** Why a private transaction is rejected; the enclave and the pool have their own errors. */
export type SubmissionProblem =
  | PrivateProblem
  | "unsupported restriction"
  | "private from is another"
  | "flexible group id missing"
  | "flexible group missing"
  | "flexible groups"
  | "not a member"
  | "legacy group id";

/** A rejected private transaction. */
export class PrivateRejection extends Error {
  readonly problem: SubmissionProblem;

  constructor(problem: SubmissionProblem) {
    super(`private transaction rejected: ${problem}`);
    this.name = "PrivateRejection";
    this.problem = problem;
  }
}
