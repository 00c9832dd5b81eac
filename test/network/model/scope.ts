/** A bug, or a fault of the disk, that the model is run with. */
export type Fault =
  /** A body is not verified where a block with the same header was executed before. */
  | "known-hash-passes"
  /** No body is verified at all: allows everything that `known-hash-passes` does, and more. */
  | "body-not-verified"
  /** A certificate and a block proposed again have the received body, not the executed one. */
  | "keeps-received-body"
  /** After a restart a certificate without the right body is dropped. */
  | "drops-certificate"
  /** The disk may lose the body of a certificate in a restart. */
  | "restart-loses-body"
  /** After a restart a validator does not read what it has signed. */
  | "journal-not-read"
  /** After a restart a validator is in round 0, whatever it has signed since. */
  | "resumes-in-round-0"
  /** A commit is sent before it and its certificate are on disk. */
  | "commit-not-durable"
  /** Round changes claim nothing. */
  | "certificate-not-claimed"
  /** Two validators are enough everywhere. */
  | "small-quorum"
  /** Any block may be proposed in a later round, whatever the round changes claim. */
  | "claim-not-checked";

/** The scope of the search. */
export interface Scope {
  /**
   * QBFT signs the block of a proposal; IBFT 2.0 signs its digest, so that a liar can replace the
   * body.
   */
  readonly dialect: "qbft" | "ibft";
  /** Rounds 0 to `rounds - 1`. */
  readonly rounds: number;
  /** Number of restarts of all honest validators together. */
  readonly restarts: number;
  /** Which of the four validators lies. */
  readonly liar: number;
  readonly faults: ReadonlySet<Fault>;
  /**
   * `by-round`: all steps of a round come before those of the next, and what no later round depends on is forgotten.
   * `any`: every interleaving. Both reach the same outcomes, see `forget.ts`.
   */
  readonly order: "by-round" | "any";
}

/** Validators of the model; the proposer of round `r` is validator `r % 4`. */
export const VALIDATORS = 4;

/** The validators that follow the rules. */
export function honestValidators({ liar }: Scope): readonly number[] {
  return [0, 1, 2, 3].filter((each) => each !== liar);
}

/** The proposer of a round. */
export function proposerOf(round: number): number {
  return round % VALIDATORS;
}

/** Size of a quorum. */
export function quorumOf({ faults }: Scope): number {
  return faults.has("small-quorum") ? 2 : 3;
}
