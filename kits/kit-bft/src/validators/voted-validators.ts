import type { SealedHeader } from "@plinth/core";
import { type AuthorityRules, castVote, startAuthorities } from "@plinth/kit-poa";
import type { BftExtraDataCodec } from "../blocks/extra-data.js";
import type { ConfigAt } from "../genesis/config-at.js";
import type { BftTransition } from "../genesis/settings.js";

/** The inputs to count the votes in BFT headers. */
export interface VoteRulesParts {
  readonly codec: BftExtraDataCodec;
  readonly epochLength: number;
  readonly config: ConfigAt<BftTransition>;
  /** The previous engine, if a chain did not start with this one. */
  readonly before?: { readonly codec: BftExtraDataCodec; readonly startBlock: bigint };
}

/**
 * How validators change by the votes in headers.
 *
 * An epoch block lists all of them, and so does a transition, from the block before it on. For an
 * engine that takes over from another the first epoch block is the last block of the other one.
 */
export function voteRules({ codec, epochLength, config, before }: VoteRulesParts): AuthorityRules {
  const origin = before === undefined ? 0n : before.startBlock - 1n;
  const isEpoch = ({ number }: SealedHeader) => (number - origin) % BigInt(epochLength) === 0n;
  const codecOf = ({ number }: SealedHeader) =>
    before !== undefined && number < before.startBlock ? before.codec : codec;
  const replacedAfter = ({ number }: SealedHeader) => config.transitionAt(number + 1n)?.validators;
  return {
    isReplacedAfter: (header) => replacedAfter(header) !== undefined,
    namedIn(header) {
      if (!isEpoch(header)) return undefined;
      return replacedAfter(header) ?? codecOf(header).decode(header.extraData).validators;
    },
    next(authorities, header) {
      const named = replacedAfter(header);
      const start = named === undefined ? authorities : startAuthorities(named);
      const { vote } = codecOf(header).decode(header.extraData);
      if (vote === undefined) return start;
      const { coinbase: voter, number: block } = header;
      return castVote(start, { ...vote, voter, block });
    },
  };
}
