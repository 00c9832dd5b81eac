import type { PrivateProblem } from "./verify-private-transaction.js";

/** Why a private transaction is not taken; the enclave and the pool have errors of their own. */
export type SubmissionProblem =
  | PrivateProblem
  | "unsupported restriction"
  | "private from is another"
  | "flexible group id missing"
  | "flexible group missing"
  | "flexible groups"
  | "not a member"
  | "legacy group id";

/** A private transaction that is not taken. */
export class PrivateRejection extends Error {
  readonly problem: SubmissionProblem;

  constructor(problem: SubmissionProblem) {
    super(`private transaction refused: ${problem}`);
    this.name = "PrivateRejection";
    this.problem = problem;
  }
}
