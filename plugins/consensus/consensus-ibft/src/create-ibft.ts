import type { EngineContext, Logger, PluginTable } from "@plinth/core";
import {
  type BftChain,
  BftConsensus,
  ConfigAt,
  type ConsensusMetrics,
  VotedValidators,
  voteRules,
} from "@plinth/kit-bft";
import {
  type AuthorityCheckpoints,
  AuthorityHistory,
  type Signing,
  type StandingProposals,
} from "@plinth/kit-poa";
import { ibft } from "./dialect.js";
import { ibftExtraData } from "./extra-data.js";
import type { IbftSettings, IbftTransition } from "./settings.js";

/** What the plugin registered before the chain was known. */
export interface IbftParts {
  readonly proposals: StandingProposals;
  readonly journal: PluginTable;
  readonly signing: Signing;
  readonly evidence: PluginTable;
  readonly checkpoints: AuthorityCheckpoints;
  readonly metrics: ConsensusMetrics;
  readonly log: Logger;
}

/** IBFT 2.0 on one chain. */
export interface Ibft {
  readonly consensus: Pick<
    BftConsensus<never, never>,
    "engine" | "commit" | "badBlock" | "connect" | "exchange" | "now" | "health"
  >;
  readonly chain: BftChain;
}

/** Puts IBFT 2.0 together for a genesis file. */
export function createIbft(
  context: EngineContext<IbftSettings, IbftTransition>,
  { proposals, journal, signing, evidence, checkpoints, metrics, log }: IbftParts,
): Ibft {
  const { forks, chain, endBlock } = context;
  const settings = withoutOldName(context.settings);
  const transitions = context.transitions.map(withoutOldName);
  const config = new ConfigAt(settings, transitions, forks);
  const votes = { codec: ibftExtraData, epochLength: settings.epochLength };
  const voted = new AuthorityHistory(voteRules({ ...votes, config }), checkpoints);
  // Only a second count differs, and that one has no checkpoints: it may have to read a whole epoch.
  const withoutTransitions = transitions.every(({ validators }) => validators === undefined)
    ? voted
    : new AuthorityHistory(voteRules({ ...votes, config: new ConfigAt(settings, [], forks) }));
  const source = new VotedValidators(voted);
  const consensus = new BftConsensus({
    ...{ dialect: ibft, codec: ibftExtraData, isStrict: true },
    ...{ context, config, source, voted, proposals, journal, signing, evidence, metrics, log },
  });
  return {
    consensus,
    chain: {
      proposals,
      successor: endBlock === undefined ? undefined : { block: endBlock, namespace: "qbft" },
      isContract: () => false,
      validatorsAt: ({ extraData }) => ibftExtraData.decodeValidators(extraData),
      validatorsAfter: (header) => source.after(header, chain),
      votedAfter: (header) => withoutTransitions.after(header, chain).members,
    },
  };
}

/** The old name of the period of empty blocks has no effect here, as in Besu: networks whose files have it go on as before. */
function withoutOldName<T extends Pick<IbftSettings, "xEmptyBlockPeriodSeconds">>(stage: T): T {
  return { ...stage, xEmptyBlockPeriodSeconds: undefined };
}
