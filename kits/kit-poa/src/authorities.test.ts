import type { Address } from "@plinth/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Authorities,
  castVote,
  majorityOf,
  openProposals,
  startAuthorities,
  type VoteKind,
} from "./authorities.js";

const of = (letter: string): Address => `0x${letter.repeat(40)}`;
const [A, B, C, D, E] = [of("a"), of("b"), of("c"), of("d"), of("e")] as const;

/** Applies votes such as `a+d`: a votes to add d. */
function after(members: readonly Address[], ...votes: readonly string[]): Authorities {
  return votes.reduce((authorities, text, index) => {
    const [voter = "", sign, candidate = ""] = text;
    const kind: VoteKind = sign === "+" ? "add" : "drop";
    const block = BigInt(index + 1);
    return castVote(authorities, { voter: of(voter), candidate: of(candidate), kind, block });
  }, startAuthorities(members));
}

const open = ({ votes }: Authorities) =>
  votes.map(
    ({ voter, candidate, kind }) => `${voter[2]}${kind === "add" ? "+" : "-"}${candidate[2]}`,
  );

describe("the majority of a set", () => {
  it("is more than half of its members", () => {
    expect([1, 2, 3, 4, 5, 6].map(majorityOf)).toEqual([1, 2, 2, 3, 3, 4]);
  });
});

describe("votes", () => {
  it("start with the members in ascending order", () => {
    expect(startAuthorities([C, A, B])).toEqual({ members: [A, B, C], votes: [] });
  });

  it.each<[string, readonly Address[], readonly string[], readonly Address[], readonly string[]]>([
    ["one vote of one adds", [A], ["a+b"], [A, B], []],
    ["one vote of two does not", [A, B], ["a+c"], [A, B], ["a+c"]],
    ["two votes of three add", [A, B, C], ["a+d", "b+d"], [A, B, C, D], []],
    ["three votes of four drop", [A, B, C, D], ["a-d", "b-d", "c-d"], [A, B, C], []],
    ["a voter counts once", [A, B, C], ["a+d", "a+d"], [A, B, C], ["a+d"]],
    ["a voter changes its mind", [A, B, C], ["a+d", "a-d", "b+d"], [A, B, C], ["a-d", "b+d"]],
    ["a signer can drop itself", [A, B], ["a-b", "b-b"], [A], []],
    [
      "a removed voter loses its votes",
      [A, B, C, D],
      ["d+e", "a-d", "b-d", "c-d", "a+e"],
      [A, B, C],
      ["a+e"],
    ],
    [
      "a majority caused by a smaller set waits for the next vote on the candidate",
      [A, B, C, D],
      ["a-c", "b-c", "a-d", "b-d", "c-d"],
      [A, B, C],
      ["a-c", "b-c"],
    ],
    [
      "and takes effect with any vote on it",
      [A, B, C, D],
      ["a-c", "b-c", "a-d", "b-d", "c-d", "c+c"],
      [A, B],
      [],
    ],
    [
      "a majority to add a member clears its votes",
      [A, B, C],
      ["c-a", "a+a", "b+a"],
      [A, B, C],
      [],
    ],
    [
      "a majority to drop a non-member clears its votes",
      [A, B, C],
      ["c+d", "a-d", "b-d"],
      [A, B, C],
      [],
    ],
  ])("%s", (_, members, votes, expected, rest) => {
    const result = after(members, ...votes);

    expect(result.members).toEqual(expected);
    expect(open(result)).toEqual(rest);
  });

  it("keep the members sorted and without duplicates, whatever the votes", () => {
    const letter = fc.constantFrom(..."abcde");
    const vote = fc.tuple(letter, fc.constantFrom("+", "-"), letter).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(vote, { maxLength: 60 }), (votes) => {
        const { members, votes: left } = after([A, B, C, D, E], ...votes);
        expect(members).toEqual([...new Set(members)].sort());
        const ballots = left.map(({ voter, candidate }) => voter + candidate);
        expect(new Set(ballots).size).toBe(ballots.length);
      }),
    );
  });
});

describe("the proposals that a signer still votes for", () => {
  const add = (candidate: Address) => ({ candidate, kind: "add" }) as const;
  const drop = (candidate: Address) => ({ candidate, kind: "drop" }) as const;

  it.each([
    ["to add a non-member", add(D), [], true],
    ["to add a member", add(B), [], false],
    ["to drop a member", drop(B), [], true],
    ["to drop a non-member", drop(D), [], false],
    ["to add, voted already", add(D), ["a+d"], false],
    ["to add, voted by another", add(D), ["b+d"], true],
    ["to drop what it voted to add", drop(D), ["a+d"], true],
    ["to add what it voted to drop", add(B), ["a-b"], true],
  ])("%s", (_, proposal, votes, isOpen) => {
    expect(openProposals([proposal], after([A, B, C], ...votes), A)).toEqual(
      isOpen ? [proposal] : [],
    );
  });

  it("are in the order of their candidates, so that signers agree on the first", () => {
    expect(openProposals([add(E), add(D)], startAuthorities([A]), A)).toEqual([add(D), add(E)]);
  });
});
