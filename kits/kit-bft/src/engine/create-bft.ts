import type { EngineContext } from "@plinth/core";
import { AuthorityHistory } from "@plinth/kit-poa";
import { ConfigAt } from "../genesis/config-at.js";
import type { BftSettings, BftTransition } from "../genesis/settings.js";
import type { BftChain } from "../methods/bft-chain.js";
import type { ValidatorSource } from "../validators/validators.js";
import { type VoteRulesParts, voteRules } from "../validators/voted-validators.js";
import { BftConsensus, type BftParts } from "./bft-consensus.js";

/** What an engine determines about a chain. */
export interface BftRules<T extends BftTransition, V extends ValidatorSource>
  extends Pick<VoteRulesParts, "before"> {
  /** Whether the nonce must be zero. */
  readonly isStrict: boolean;
  readonly validators: (config: ConfigAt<T>, voted: AuthorityHistory) => V;
}

/** A BFT engine on one chain. */
export interface Bft<C extends BftChain = BftChain> {
  readonly consensus: BftConsensus;
  readonly chain: C;
}

/** Creates a BFT engine for a genesis file. */
export function createBft<T extends BftTransition, V extends ValidatorSource>(
  context: EngineContext<BftSettings, T>,
  parts: BftParts,
  { isStrict, validators, before }: BftRules<T, V>,
): Bft & { readonly source: V } {
  const { settings, transitions, forks, chain } = context;
  const { codec, proposals, checkpoints } = parts;
  const config = new ConfigAt(settings, transitions, forks);
  const votes = { codec, epochLength: settings.epochLength, ...(before && { before }) };
  const voted = new AuthorityHistory(voteRules({ ...votes, config }), checkpoints);
  // Only a second count differs, and that one has no checkpoints: it may have to read a whole
  // epoch.
  const withoutTransitions = transitions.every((each) => each.validators === undefined)
    ? voted
    : new AuthorityHistory(voteRules({ ...votes, config: new ConfigAt(settings, [], forks) }));
  const source = validators(config, voted);
  const { startBlock = 0n } = before ?? {};
  return {
    consensus: new BftConsensus({ ...parts, context, config, source, voted, isStrict, startBlock }),
    source,
    chain: {
      proposals,
      isContract: () => false,
      validatorsAt: ({ extraData }) => codec.decodeValidators(extraData),
      validatorsAfter: (header) => source.after(header, chain),
      countedAfter: (header) => voted.after(header, chain),
      votedAfter: (header) => withoutTransitions.after(header, chain).members,
    },
  };
}
