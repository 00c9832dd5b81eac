import type { EngineCheckContext, GenesisFinding } from "@plinth/core/consensus";
import { ConfigAt, checkBftGenesis, longestEmptyPeriod } from "@plinth/kit-bft";
import { checkGoQuorum } from "./check-goquorum.js";
import { qbftExtraData } from "./extra-data.js";
import { selectionModeAt } from "./selection-mode.js";
import type { QbftSettings, QbftTransition } from "./settings.js";

type Context = EngineCheckContext<QbftSettings, QbftTransition>;

/** Problems of a QBFT genesis file. */
export function checkQbftGenesis(context: Context): readonly GenesisFinding[] {
  const { settings, transitions, facts } = context;
  const { timestamp } = facts.header;
  const mode = selectionModeAt(
    { number: 1n, timestamp },
    settings,
    new ConfigAt(settings, transitions, facts.forks),
  );
  const isFirst = (settings.startBlock ?? 0) === 0;
  const others = facts.engineKeys.filter((key) => key !== qbftExtraData.engine);
  const contract = mode.kind === "contract" ? mode.address : undefined;
  return [
    ...(isFirst && others.includes("ibft2") ? [withoutStart()] : []),
    ...(isFirst ? [] : checkTakeOver(context)),
    ...checkBftGenesis(context, {
      codec: qbftExtraData,
      contract,
      isFirst: isFirst && others.length === 0,
      oldEmptyPeriod: "is a deprecated name, which Besu after 26.8 does not read",
    }),
    ...checkEmptyPeriod(context),
    ...checkLaterContracts(context),
    ...checkIgnoredLists(context),
    ...checkGoQuorum(facts),
  ];
}

function withoutStart(): GenesisFinding {
  return {
    severity: "error",
    key: "config.qbft.startBlock",
    problem: "is missing, and the file has ibft2 and qbft",
    fix: "set the first block of QBFT, at least 1",
  };
}

/** Observed live: no network of Besu 24.9 gets past the previous block. */
function checkTakeOver({ settings, transitions }: Context): readonly GenesisFinding[] {
  const { startBlock = 0 } = settings;
  const early = transitions.find(({ block }) => block < startBlock);
  return [
    {
      severity: "warning",
      key: "config.qbft.startBlock",
      problem: `lets QBFT take over from IBFT 2.0 at block ${startBlock}: a network of Besu before 25.12 stands still at block ${startBlock - 1}`,
      fix: "let all validators run Plinth, or Besu from 25.12 on, before that block",
    },
    ...(early === undefined
      ? []
      : [
          {
            severity: "warning" as const,
            key: "config.transitions.qbft",
            problem: `has an entry for block ${early.block}, before QBFT starts`,
            fix: "move it to the transitions of ibft2",
          },
        ]),
  ];
}

/**
 * Non-proposing validators of older releases start their timeout at the end of the block period.
 */
function checkEmptyPeriod(context: Context): readonly GenesisFinding[] {
  const { blockPeriodSeconds, requestTimeoutSeconds } = context.settings;
  const empty = longestEmptyPeriod(context);
  const limit = blockPeriodSeconds + requestTimeoutSeconds;
  if (empty === 0 || empty < limit) return [];
  return [
    {
      severity: "warning",
      key: "config.qbft.emptyblockperiodseconds",
      problem: `is ${empty}, and validators of Besu before 26.6 give up round 0 after ${limit} s: every empty block needs a later round where they take part`,
      fix: `set less than ${limit}, or a longer requesttimeoutseconds, as long as such validators take part`,
    },
  ];
}

function checkLaterContracts({ transitions, facts }: Context): readonly GenesisFinding[] {
  return transitions.flatMap(({ block, validatorContractAddress: contract }) => {
    const isThere = contract === undefined || (facts.accounts.get(contract)?.code.length ?? 0) > 0;
    if (isThere) return [];
    return [
      {
        severity: "note" as const,
        key: "config.transitions.qbft",
        problem: `lets ${contract} name the validators from block ${block} on: it must be deployed by then`,
      },
    ];
  });
}

/** As in Besu, a list alone does not override a contract. */
function checkIgnoredLists({ settings, transitions, facts }: Context): readonly GenesisFinding[] {
  const config = new ConfigAt(settings, transitions, facts.forks);
  return transitions
    .filter(
      ({ block, validators }) =>
        validators !== undefined &&
        selectionModeAt(pointOf(block), settings, config).kind === "contract",
    )
    .map(({ block }) => ({
      severity: "warning",
      key: "config.transitions.qbft",
      problem: `lists validators for block ${block}, but a contract names them: the list is ignored`,
      fix: 'add "validatorselectionmode": "blockheader" to let the list count',
    }));
}

/** Whether a transition has started, given by block number or time. */
function pointOf(block: number) {
  return { number: BigInt(block), timestamp: BigInt(block) };
}
