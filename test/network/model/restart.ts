import { proposerOf, type Scope } from "./scope.js";
import {
  blocksOf,
  type Messages,
  type ModelBlock,
  type ModelCertificate,
  type ModelValidator,
  type State,
  withValidator,
} from "./state.js";

/** The result of a restart. */
export interface Restarted {
  /** What the disk has lost, for the trace. */
  readonly detail: string;
  readonly next: State;
}

/**
 * The ways in which a validator can restart: memory is lost, and it continues where it last signed
 * something.
 *
 * A restart that loses nothing is omitted: the state before it can do everything that the state
 * after it can, and has one restart more. With the order `by-round` the same is true for a
 * validator that has signed nothing in the round yet: it could as well have restarted in the
 * previous round.
 */
export function* restartsOf(state: State, scope: Scope, index: number): Generator<Restarted> {
  const self = state.validators[index];
  if (self === undefined || state.restartsLeft === 0) return;
  if (scope.order === "by-round" && self.round !== state.phase) return;
  const { journal, isLost } = journalAfter(self, scope);
  const stored = isLost ? undefined : self.durable;
  for (const durable of certificatesAfter(stored, scope)) {
    const restarted = resume({ ...self, journal, certificate: durable, durable }, index, scope);
    if (isSame(self, restarted)) continue;
    const next = { ...withValidator(state, index, restarted) };
    yield {
      detail: describeLoss(self.certificate, durable),
      next: { ...next, restartsLeft: state.restartsLeft - 1 },
    };
  }
}

function journalAfter(
  { journal, certificate, durable }: ModelValidator,
  { faults }: Scope,
): { readonly journal: Messages; readonly isLost: boolean } {
  if (faults.has("journal-not-read")) {
    const none = journal.prepares.map(() => 0);
    const empty = { proposals: none, prepares: none, commits: none, roundChanges: none };
    return { journal: empty, isLost: true };
  }
  // Only a commit that was sent too early makes a difference between memory and disk.
  if (certificate === undefined || certificate === durable) return { journal, isLost: false };
  const commits = journal.commits.with(certificate.round, 0);
  return { journal: { ...journal, commits }, isLost: false };
}

function* certificatesAfter(
  certificate: ModelCertificate | undefined,
  { faults }: Scope,
): Generator<ModelCertificate | undefined> {
  if (certificate === undefined) return yield undefined;
  const missing = faults.has("drops-certificate")
    ? undefined
    : ({ ...certificate, body: "missing" } as const);
  if (certificate.body !== "right") return yield missing;
  yield certificate;
  if (faults.has("restart-loses-body")) yield missing;
}

/**
 * Its own proposal of the last round is accepted again, otherwise that of a certificate of this
 * round.
 */
function resume(self: ModelValidator, index: number, { faults }: Scope): ModelValidator {
  const { journal, certificate } = self;
  const last = lastRound(journal);
  const round = faults.has("resumes-in-round-0") ? Math.min(last, 0) : last;
  const accepted = ownProposal(journal, index, round) ?? blockOf(certificate, round);
  const known = (accepted?.header ?? 0) | (blockOf(certificate)?.header ?? 0);
  const executed = faults.has("known-hash-passes") ? known : 0;
  return { ...self, round, accepted, executed };
}

function lastRound(journal: Messages): number {
  let last = -1;
  for (const sets of Object.values(journal) as (readonly number[])[]) {
    last = Math.max(
      last,
      sets.findLastIndex((set) => set !== 0),
    );
  }
  return last;
}

function ownProposal(journal: Messages, index: number, round: number): ModelBlock | undefined {
  if (round < 0 || proposerOf(round) !== index) return undefined;
  return blocksOf(journal.proposals[round] ?? 0).find(({ body }) => body === "right");
}

function blockOf(certificate: ModelCertificate | undefined, of?: number): ModelBlock | undefined {
  if (certificate?.body !== "right" || (of ?? certificate.round) !== certificate.round) {
    return undefined;
  }
  return { header: certificate.header, body: "right" };
}

function isSame(before: ModelValidator, after: ModelValidator): boolean {
  return (
    before.round === after.round &&
    before.journal === after.journal &&
    before.accepted?.header === after.accepted?.header &&
    before.accepted?.body === after.accepted?.body &&
    before.executed === after.executed &&
    before.certificate === after.certificate &&
    before.durable === after.durable
  );
}

function describeLoss(
  before: ModelCertificate | undefined,
  after: ModelCertificate | undefined,
): string {
  if (before === undefined) return "";
  if (after === undefined) return " without its certificate";
  if (after.body !== "missing") return "";
  return " without the body of its certificate";
}
