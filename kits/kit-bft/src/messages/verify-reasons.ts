import type { Address } from "@plinth/core";
import type { HeightFacts } from "./dialect.js";
import type { RoundId } from "./messages.js";
import { verifyRule } from "./rejected.js";

/** Throws `Rejected` unless there are enough messages, each of another author. */
export function verifyAuthors(
  what: string,
  messages: readonly { readonly author: Address }[],
  needed: number,
): void {
  const authors = new Set(messages.map(({ author }) => author));
  verifyRule(
    authors.size === messages.length,
    "duplicate-author",
    `two ${what} have the same author`,
  );
  verifyRule(messages.length >= needed, "quorum", `${messages.length} ${what}, expected ${needed}`);
}

/** Throws `Rejected` if a round change is not of this height, or its author may not send one. */
export function verifyRoundChangeOf(
  { author, height, round }: RoundId & { readonly author: Address },
  facts: HeightFacts,
  preparedRound: number | undefined,
): void {
  verifyRule(facts.validators.includes(author), "author", `${author} is not a validator`);
  verifyRule(
    height === facts.height,
    "height",
    `the round change of ${author} is for block ${height}`,
  );
  verifyRule(round > 0, "round", `the round change of ${author} is to round 0`);
  verifyRule(
    preparedRound === undefined || preparedRound < round,
    "prepared-round",
    `${author} claims to be prepared in round ${preparedRound}, before round ${round}`,
  );
}
