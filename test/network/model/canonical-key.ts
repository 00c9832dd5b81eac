import { proposerOf, type Scope, VALIDATORS } from "./scope.js";
import type { Body, Messages, ModelCertificate, ModelValidator, State } from "./state.js";

/**
 * A text that is equal for states which differ in names only.
 *
 * Two symmetries are used. A and B can be swapped: no rule distinguishes them. Honest validators
 * that propose in no later round can be swapped with each other: a validator is special only as a
 * proposer. Each permutation maps runs to runs and no invariant depends on names, so one state of
 * each class is enough.
 */
export function canonicalKey(state: State, scope: Scope): string {
  const first = keyOf(state, scope, SAME);
  const second = keyOf(state, scope, SWAPPED);
  return first < second ? first : second;
}

interface Naming {
  readonly header: (set: number) => number;
  readonly blocks: (set: number) => number;
  readonly claims: (set: number) => number;
}

/** Every second bit. */
const EVEN = 0x5555;
const SAME: Naming = {
  header: (set) => set,
  blocks: (set) => set,
  claims: (set) => set,
};
const SWAPPED: Naming = {
  header: (set) => ((set & 1) << 1) | (set >> 1),
  blocks: (set) => ((set & 3) << 2) | (set >> 2),
  claims: (set) => (set & 1) | ((set & (EVEN << 1)) << 1) | ((set & (EVEN << 2)) >> 1),
};

function keyOf(state: State, scope: Scope, naming: Naming): string {
  const { phase, restartsLeft, claimable, prepared, sealed } = state;
  const free: string[] = [];
  let key = text([phase, restartsLeft, ...(naming === SAME ? sealed : [sealed[1], sealed[0]])]);
  key += text(claimable.map(naming.header)) + text(prepared.map(naming.header));
  for (const [index, validator] of state.validators.entries()) {
    if (validator === undefined) continue;
    const part = validatorKey(validator, naming);
    if (isProposerSince(index, phase, scope.rounds)) key += part;
    else free.push(part);
  }
  return key + free.sort().join("");
}

function isProposerSince(validator: number, phase: number, rounds: number): boolean {
  for (let round = phase; round < Math.min(rounds, phase + VALIDATORS); round++) {
    if (proposerOf(round) === validator) return true;
  }
  return false;
}

function validatorKey(validator: ModelValidator, naming: Naming): string {
  const { round, accepted, executed, journal, sent, certificate, durable } = validator;
  return text([
    round + 1,
    accepted === undefined ? 0 : naming.header(accepted.header) * 3 + BODIES[accepted.body],
    naming.header(executed),
    ...messageNumbers(sent, naming),
    ...(journal === sent ? [] : [JOURNAL_DIFFERS, ...messageNumbers(journal, naming)]),
    certificateNumber(certificate, naming),
    certificateNumber(durable, naming),
  ]);
}

/** Above every number in a key. */
const JOURNAL_DIFFERS = 0x7000;
const BODIES: Readonly<Record<Body | "missing", number>> = { right: 0, wrong: 1, missing: 2 };

function messageNumbers(messages: Messages, naming: Naming): readonly number[] {
  return [
    ...messages.proposals.map(naming.blocks),
    ...messages.prepares.map(naming.header),
    ...messages.commits.map(naming.header),
    ...messages.roundChanges.map(naming.claims),
  ];
}

function certificateNumber(certificate: ModelCertificate | undefined, naming: Naming): number {
  if (certificate === undefined) return 0;
  const { round, header, body } = certificate;
  return (round * 4 + naming.header(header)) * 3 + BODIES[body];
}

function text(numbers: readonly number[]): string {
  return String.fromCharCode(...numbers);
}
