import type { Address } from "@plinth/core";

/** The effect of a vote: add or remove an authority. */
export type VoteKind = "add" | "drop";

/** A change of the authorities. */
export interface Proposal {
  readonly candidate: Address;
  readonly kind: VoteKind;
}

/** A proposal that an authority has included in a block. */
export interface Vote extends Proposal {
  readonly voter: Address;
  /** The number of that block. */
  readonly block: bigint;
}

/** The authorities after a block, and the votes without a majority. */
export interface Authorities {
  /** In ascending order. */
  readonly members: readonly Address[];
  /** At most one for each voter and candidate, the oldest first. */
  readonly votes: readonly Vote[];
}

/** The authorities listed by a genesis or an epoch block: there are no votes yet. */
export function startAuthorities(members: Iterable<Address>): Authorities {
  return { members: sorted(new Set(members)), votes: [] };
}

/** Number of votes that change a set of this size. */
export function majorityOf(members: number): number {
  return Math.floor(members / 2) + 1;
}

/**
 * The authorities after a vote.
 *
 * A later vote of the same voter on the same candidate replaces the earlier one. Only the candidate
 * of this vote can join or leave, with the majority of the members before it. A removed member
 * loses its votes, too.
 */
export function castVote({ members, votes }: Authorities, vote: Vote): Authorities {
  const { candidate } = vote;
  const cast = [...votes.filter((other) => !isSameBallot(other, vote)), vote];
  const count = (kind: VoteKind) =>
    cast.filter((other) => other.candidate === candidate && other.kind === kind).length;
  const needed = majorityOf(members.length);
  const open = cast.filter((other) => other.candidate !== candidate);
  if (count("add") >= needed) {
    return { members: sorted(new Set([...members, candidate])), votes: open };
  }
  if (count("drop") >= needed) {
    return {
      members: members.filter((member) => member !== candidate),
      votes: open.filter((other) => other.voter !== candidate),
    };
  }
  return { members, votes: cast };
}

/** The proposals that a voter still has to include in a block, in the order of their candidates. */
export function openProposals(
  proposals: Iterable<Proposal>,
  { members, votes }: Authorities,
  voter: Address,
): readonly Proposal[] {
  const isOpen = ({ candidate, kind }: Proposal) => {
    const cast = votes.find((vote) => isSameBallot(vote, { voter, candidate }));
    return cast === undefined
      ? members.includes(candidate) === (kind === "drop")
      : cast.kind !== kind;
  };
  return [...proposals].filter(isOpen).sort((a, b) => (a.candidate < b.candidate ? -1 : 1));
}

/** The votes that can change the authorities; others only cancel earlier ones of their voters. */
export function effectiveVotes({ members, votes }: Authorities): readonly Vote[] {
  return votes.filter(({ candidate, kind }) => members.includes(candidate) === (kind === "drop"));
}

function isSameBallot(
  a: Pick<Vote, "voter" | "candidate">,
  b: Pick<Vote, "voter" | "candidate">,
): boolean {
  return a.voter === b.voter && a.candidate === b.candidate;
}

// Hexadecimal digits of one case sort like the bytes.
function sorted(addresses: Iterable<Address>): readonly Address[] {
  return [...addresses].sort();
}
