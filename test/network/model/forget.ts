import type { Messages, ModelValidator, State } from "./state.js";

/**
 * Ends a round with the order `by-round`: the steps that follow are all in later rounds, and what none of them depends
 * on is forgotten.
 *
 * Why this order loses nothing. A step in round r depends on the state of its own validator, on messages of round r, and
 * on claims of rounds before r, never on a message of a later round; and what it depends on never goes away. Take two
 * neighboring steps of different validators, the first in a later round than the second. The second does not depend on
 * the first, and the first stays possible after it, so they can be swapped. Steps of one validator are in ascending
 * order already, because it never goes back to an earlier round. So every run can be sorted by round, and ends in the
 * same state. A restart belongs to the last round that its validator signed something in.
 *
 * What later rounds depend on: the certificates, the headers that can be claimed, and the restarts left. The rest of the
 * earlier rounds is needed for no step, and invariants about it were checked in each state of those rounds, and no later
 * step changes it. Only which headers are sealed is needed by an invariant later.
 *
 * With `resumes-in-round-0` and `journal-not-read` validators do go back, and with `known-hash-passes` a validator may
 * execute the block of a later round: then some runs are missed. `body-not-verified` allows all of the latter.
 */
export function advance(state: State): State {
  return forgetBefore(state, state.phase + 1);
}

/** The state without what is obsolete when all later steps are in a round or after it. */
export function forgetBefore(state: State, phase: number): State {
  return {
    ...state,
    phase,
    prepared: clearBefore(state.prepared, phase),
    validators: state.validators.map((each) => each && forgetOf(each, phase)),
  };
}

function forgetOf(validator: ModelValidator, phase: number): ModelValidator {
  const { certificate } = validator;
  const sent = clearMessages(validator.sent, phase);
  const isOneJournal = validator.journal === validator.sent;
  const journal = isOneJournal ? sent : clearMessages(validator.journal, phase);
  const isBefore = validator.round < phase;
  return {
    ...validator,
    round: isBefore ? -1 : validator.round,
    accepted: isBefore ? undefined : validator.accepted,
    journal,
    sent,
    durable: certificate,
  };
}

function clearMessages(messages: Messages, phase: number): Messages {
  return {
    proposals: clearBefore(messages.proposals, phase),
    prepares: clearBefore(messages.prepares, phase),
    commits: clearBefore(messages.commits, phase),
    roundChanges: clearBefore(messages.roundChanges, phase),
  };
}

function clearBefore(sets: readonly number[], phase: number): readonly number[] {
  return sets.map((set, round) => (round < phase ? 0 : set));
}
