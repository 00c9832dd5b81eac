import type { EngineContext, Logger, PluginTable } from "@plinth/core";
import { BftConsensus, ConfigAt, type ConsensusMetrics, voteRules } from "@plinth/kit-bft";
import {
  type AuthorityCheckpoints,
  AuthorityHistory,
  type Signing,
  type StandingProposals,
} from "@plinth/kit-poa";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import type { QbftChain } from "./api.js";
import { ContractValidators } from "./contract-validators.js";
import type { qbft } from "./dialect.js";
import { qbftExtraData } from "./extra-data.js";
import { QbftValidators } from "./qbft-validators.js";
import { verifyModes } from "./selection-mode.js";
import type { QbftSettings, QbftTransition } from "./settings.js";

/** What the plugin registered before the chain was known. */
export interface QbftParts {
  readonly dialect: typeof qbft;
  readonly proposals: StandingProposals;
  readonly journal: PluginTable;
  readonly signing: Signing;
  readonly evidence: PluginTable;
  readonly checkpoints: AuthorityCheckpoints;
  readonly metrics: ConsensusMetrics;
  readonly log: Logger;
}

/** QBFT on one chain. */
export interface Qbft {
  readonly consensus: Pick<
    BftConsensus<never, never>,
    "engine" | "commit" | "badBlock" | "connect" | "exchange" | "now" | "health"
  >;
  readonly chain: QbftChain;
  /** The first block of QBFT. */
  readonly startBlock: bigint;
}

/** Puts QBFT together for a genesis file. */
export function createQbft(
  context: EngineContext<QbftSettings, QbftTransition>,
  { dialect, proposals, journal, signing, evidence, checkpoints, metrics, log }: QbftParts,
): Qbft {
  const { settings, transitions, forks, chain } = context;
  const startBlock = BigInt(settings.startBlock ?? 0);
  verifyModes(transitions);
  const config = new ConfigAt(settings, transitions, forks);
  const { epochLength } = settings;
  const votes = { codec: qbftExtraData, epochLength, ...beforeOf(settings) };
  const voted = new AuthorityHistory(voteRules({ ...votes, config }), checkpoints);
  // Only a second count differs, and that one has no checkpoints: it may have to read a whole epoch.
  const withoutTransitions = transitions.every(({ validators }) => validators === undefined)
    ? voted
    : new AuthorityHistory(voteRules({ ...votes, config: new ConfigAt(settings, [], forks) }));
  const contract = new ContractValidators(chain);
  const source = new QbftValidators({ settings, config, voted, contract });
  const consensus = new BftConsensus({
    ...{
      dialect,
      codec: qbftExtraData,
      isStrict: false,
      startBlock,
    },
    ...{ context, config, source, voted, proposals, journal, signing, evidence, metrics, log },
  });
  return {
    consensus,
    startBlock,
    chain: {
      requestTimeoutSeconds: settings.requestTimeoutSeconds,
      proposals,
      isContract: (header) => source.modeAfter(header).kind === "contract",
      // Where a contract names those of a block, its header lists none: callers see what the contract says after it.
      validatorsAt: (header) => {
        const mode = source.modeAt(header);
        return mode.kind === "contract" && header.number >= startBlock
          ? contract.after(header, mode.address)
          : [...codecAt(header.number, settings).decodeValidators(header.extraData)].sort();
      },
      validatorsAfter: (header) => source.after(header, chain),
      votedAfter: (header) => withoutTransitions.after(header, chain).members,
    },
  };
}

function codecAt(number: bigint, { startBlock = 0 }: QbftSettings) {
  return number < BigInt(startBlock) ? ibftExtraData : qbftExtraData;
}

/** IBFT 2.0 made the blocks before, on a chain that goes over to QBFT. */
function beforeOf({ startBlock = 0 }: QbftSettings) {
  if (startBlock === 0) return {};
  return { before: { codec: ibftExtraData, startBlock: BigInt(startBlock) } };
}
