import { honestValidators, type Scope } from "./scope.js";

/**
 * Headers and bodies are bits, so that a set of them is a number.
 *
 * There are two headers, A and B. Two are enough: where validators decide X and Y, call X `A` and every other header
 * `B`. Guards need headers that are equal, and never headers that differ, so that each step of the run is still possible.
 * The two rules that reject what differs are left out, which allows more: claims of one round for different blocks, and a
 * second block of a proposer.
 */
export const A = 1;
/** The other header. */
export const B = 2;
/** All headers. */
export const HEADERS = [A, B] as const;

/** Whether a body matches its header; the digest does not depend on it. */
export type Body = "right" | "wrong";

/** A received block. */
export interface ModelBlock {
  readonly header: number;
  readonly body: Body;
}

/** A quorum of prepares was seen for a header in a round. */
export interface ModelCertificate {
  readonly round: number;
  readonly header: number;
  readonly body: Body | "missing";
}

/**
 * Messages of a validator, by round: each entry is the set of what was signed, with at most one
 * member.
 */
export interface Messages {
  /** Bits of `blockBit`. */
  readonly proposals: readonly number[];
  /** Headers. */
  readonly prepares: readonly number[];
  /** Headers. */
  readonly commits: readonly number[];
  /** Bits of `claimBit`. */
  readonly roundChanges: readonly number[];
}

/** An honest validator. */
export interface ModelValidator {
  /** The last round that it signed anything in; -1 if there is none, or it is a forgotten round. */
  readonly round: number;
  /** The proposal of that round; lost in a restart. */
  readonly accepted: ModelBlock | undefined;
  /** Headers whose block it has executed; lost in a restart. Read with `known-hash-passes` only. */
  readonly executed: number;
  /** What it knows to have signed. */
  readonly journal: Messages;
  /**
   * What it has signed: the network keeps messages forever and delivers them in any order, or
   * never.
   */
  readonly sent: Messages;
  readonly certificate: ModelCertificate | undefined;
  /** The certificate on disk. */
  readonly durable: ModelCertificate | undefined;
}

/** The state of the system; the liar has none, as it may sign anything at any time. */
export interface State {
  /** The round of the current steps, with the order `by-round`. */
  readonly phase: number;
  readonly restartsLeft: number;
  /** By validator; `undefined` for the liar. */
  readonly validators: readonly (ModelValidator | undefined)[];
  /**
   * By round: headers with a quorum of prepares, including the liar's, which therefore can be
   * claimed.
   */
  readonly claimable: readonly number[];
  /** By round: headers that an honest validator was prepared for. */
  readonly prepared: readonly number[];
  /** For A and B: 1 + the last round with a quorum of commits. Any node can import the block then. */
  readonly sealed: readonly [number, number];
}

/** The bit of a block in a set of blocks. */
export function blockBit({ header, body }: ModelBlock): number {
  return 1 << ((header - 1) * 2 + (body === "right" ? 0 : 1));
}

/** The blocks of a set. */
export function blocksOf(set: number): readonly ModelBlock[] {
  return BLOCKS.filter((block) => (set & blockBit(block)) !== 0);
}

const BLOCKS: readonly ModelBlock[] = HEADERS.flatMap((header) => [
  { header, body: "right" },
  { header, body: "wrong" },
]);

/** The claim of a round change: a header and the round it was prepared in, or nothing. */
export type Claim = Pick<ModelCertificate, "round" | "header"> | undefined;

/** The bit of a claim in a set of claims. */
export function claimBit(claim: Claim): number {
  return claim === undefined ? 1 : 1 << (claim.round * 2 + claim.header);
}

/** The claims of a set. */
export function claimsOf(set: number): readonly Claim[] {
  const claims: Claim[] = (set & 1) === 0 ? [] : [undefined];
  for (let bit = 1; 1 << bit <= set; bit++) {
    const isClaimed = (set & (1 << bit)) !== 0;
    if (isClaimed) claims.push({ round: (bit - 1) >> 1, header: ((bit - 1) & 1) + 1 });
  }
  return claims;
}

/** The state before anything was signed. */
export function firstState(scope: Scope): State {
  const none = Array.from({ length: scope.rounds }, () => 0);
  const messages = { proposals: none, prepares: none, commits: none, roundChanges: none };
  const validator: ModelValidator = {
    round: -1,
    accepted: undefined,
    executed: 0,
    journal: messages,
    sent: messages,
    certificate: undefined,
    durable: undefined,
  };
  const honest = honestValidators(scope);
  return {
    phase: 0,
    restartsLeft: scope.restarts,
    validators: [0, 1, 2, 3].map((each) => (honest.includes(each) ? validator : undefined)),
    claimable: none,
    prepared: none,
    sealed: [0, 0],
  };
}

/** Replaces a validator. */
export function withValidator(state: State, index: number, validator: ModelValidator): State {
  return { ...state, validators: state.validators.with(index, validator) };
}

/** Number of honest validators that have sent a vote for a header in a round. */
export function countVotes(
  { validators }: State,
  kind: "prepares" | "commits",
  { round, header }: Pick<ModelCertificate, "round" | "header">,
): number {
  return validators.filter((each) => ((each?.sent[kind][round] ?? 0) & header) !== 0).length;
}
