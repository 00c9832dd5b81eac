import { findPrepared, type RoundChange } from "../messages/messages.js";

/** The options of a proposer. */
export interface Choice<R extends RoundChange> {
  /** The round changes to its round, in order of arrival: at least a quorum. */
  readonly roundChanges: readonly R[];
  readonly quorum: number;
  /** Whether all validators accept what a round change claims was prepared. */
  readonly isAccepted: (roundChange: R) => boolean;
}

/**
 * The round changes that justify a proposal: the first quorum, unless some validators would reject
 * its block and another quorum does not contain it; `undefined` if there is none without it.
 *
 * Any quorum is safe: if a block was decided in an earlier round, every quorum has a validator that
 * was prepared for it.
 */
export function chooseReasons<R extends RoundChange>(choice: Choice<R>): readonly R[] | undefined {
  const { roundChanges, quorum, isAccepted } = choice;
  const first = roundChanges.slice(0, quorum);
  const prepared = findPrepared(first);
  if (prepared === undefined || isAccepted(prepared)) return first;
  const accepted = roundChanges.filter((each) => each.block === undefined || isAccepted(each));
  return accepted.length >= quorum ? accepted.slice(0, quorum) : undefined;
}
