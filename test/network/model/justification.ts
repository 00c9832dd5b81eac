import { quorumOf, type Scope } from "./scope.js";
import { A, B, type Claim, claimsOf, HEADERS, type State } from "./state.js";

/** The headers that a proposal may have. */
export interface Justified {
  /** Headers of a new block. */
  readonly fresh: number;
  /** Headers of a block that was prepared before and is proposed again. */
  readonly claimed: number;
}

const ALL = A | B;

/**
 * The possible content of a proposal of a round, given the round changes that were sent.
 *
 * A quorum of round changes is chosen, from honest validators alone or with one of the liar; the
 * liar claims nothing, or anything that has a quorum of prepares. The highest claim decides. More
 * round changes than a quorum add nothing: the one with the highest claim and some others are a
 * quorum with the same result.
 */
export function findJustified(state: State, scope: Scope, round: number): Justified {
  if (round === 0) return { fresh: ALL, claimed: 0 };
  const quorum = quorumOf(scope);
  const sent = state.validators.flatMap((validator) => {
    const claims = claimsOf(validator?.sent.roundChanges[round] ?? 0);
    return claims.length === 0 ? [] : [claims];
  });
  if (sent.length < quorum - 1) return { fresh: 0, claimed: 0 };
  if (scope.faults.has("claim-not-checked")) return { fresh: ALL, claimed: 0 };
  const ofLiar = claimsOfLiar(state, round);
  let fresh = 0;
  let claimed = 0;
  for (const honest of subsets(sent)) {
    if (honest.length !== quorum && honest.length !== quorum - 1) continue;
    const authors = honest.length === quorum ? honest : [...honest, ofLiar];
    for (const claims of choices(authors)) {
      const highest = Math.max(...claims.map((claim) => claim?.round ?? -1));
      if (highest < 0) fresh = ALL;
      for (const claim of claims) if (claim?.round === highest) claimed |= claim.header;
    }
  }
  return { fresh, claimed };
}

function claimsOfLiar({ claimable }: State, before: number): readonly Claim[] {
  const claims: Claim[] = [undefined];
  for (const [round, headers] of claimable.slice(0, before).entries()) {
    for (const header of HEADERS) if ((headers & header) !== 0) claims.push({ round, header });
  }
  return claims;
}

function* subsets<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let set = 0; set < 1 << items.length; set++) {
    yield items.filter((_, index) => (set & (1 << index)) !== 0);
  }
}

/** One item of each list, in every way. */
function* choices<T>(lists: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...rest] = lists;
  if (first === undefined) yield [];
  else for (const item of first) for (const others of choices(rest)) yield [item, ...others];
}
