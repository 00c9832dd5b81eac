import type { SealedHeader } from "@plinth/core";
import { type AuthorityRules, castVote, startAuthorities } from "@plinth/kit-poa";
import type { ConfigAt } from "./config-at.js";
import type { BftExtraDataCodec } from "./extra-data.js";
import type { BftTransition } from "./settings.js";

/** What the votes in BFT headers are counted with. */
export interface VoteRulesParts {
  readonly codec: BftExtraDataCodec;
  readonly epochLength: number;
  readonly config: ConfigAt<BftTransition>;
}

/**
 * How validators change by the votes in headers.
 *
 * An epoch block names all of them, and so does a transition, from the block before it on.
 */
export function voteRules({ codec, epochLength, config }: VoteRulesParts): AuthorityRules {
  const isEpoch = ({ number }: SealedHeader) => number % BigInt(epochLength) === 0n;
  const replacedAfter = ({ number }: SealedHeader) => config.transitionAt(number + 1n)?.validators;
  return {
    namedIn(header) {
      if (!isEpoch(header)) return undefined;
      return replacedAfter(header) ?? codec.decode(header.extraData).validators;
    },
    next(before, header) {
      const named = replacedAfter(header);
      const authorities = named === undefined ? before : startAuthorities(named);
      const { vote } = codec.decode(header.extraData);
      if (vote === undefined) return authorities;
      const { coinbase: voter, number: block } = header;
      return castVote(authorities, { ...vote, voter, block });
    },
  };
}
