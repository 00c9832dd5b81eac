import { A, B, HEADERS, type State } from "./state.js";

/** The invariants of every state. */
export type Invariant = (state: State) => boolean;

/** The invariants by name. */
export const INVARIANTS = {
  /** No two headers are decided; any two nodes could import them. */
  agreement: ({ sealed: [a, b] }) => a === 0 || b === 0,

  /** No honest validator votes for a block that it has not executed; so none decides one. */
  "right body": ({ validators }) =>
    validators.every((each) => {
      const accepted = each?.accepted;
      return accepted === undefined || accepted.body === "right" || isExecuted(each, accepted);
    }),

  /** An honest validator signs one message of each kind in a round, across restarts. */
  "one message": ({ validators }) =>
    validators.every((each) =>
      Object.values(each?.sent ?? {}).every((sets: readonly number[]) => sets.every(isSingle)),
    ),

  /**
   * What was decided in a round is claimed: two of the three honest validators have a certificate
   * on disk for it, of that round or a later one, so that every quorum of round changes has one.
   */
  "decided is claimed": ({ sealed, validators }) =>
    HEADERS.every((header) => {
      const decidedIn = (header === A ? sealed[0] : sealed[1]) - 1;
      if (decidedIn < 0) return true;
      const holders = validators.filter((each) => {
        const certificate = each?.durable;
        return certificate?.header === header && certificate.round >= decidedIn;
      });
      return holders.length >= 2;
    }),

  /** Honest validators that are prepared in one round are prepared for one header. */
  "one certificate": ({ prepared }) => prepared.every((headers) => headers !== (A | B)),
} satisfies Readonly<Record<string, Invariant>>;

/** The name of an invariant. */
export type InvariantName = keyof typeof INVARIANTS;

/** All names. */
export const INVARIANT_NAMES = Object.keys(INVARIANTS) as readonly InvariantName[];

function isExecuted(
  validator: { readonly executed: number } | undefined,
  { header }: { readonly header: number },
): boolean {
  return ((validator?.executed ?? 0) & header) !== 0;
}

function isSingle(set: number): boolean {
  return (set & (set - 1)) === 0;
}
