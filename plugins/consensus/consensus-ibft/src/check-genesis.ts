import type { EngineCheckContext, GenesisFinding } from "@plinth/core/consensus";
import { type BftSettings, type BftTransition, checkBftGenesis } from "@plinth/kit-bft";
import { ibftExtraData } from "./extra-data.js";

type Context = EngineCheckContext<BftSettings, BftTransition>;

const ENGINE = ibftExtraData.engine;

/** Problems of an IBFT 2.0 genesis file. */
export function checkIbftGenesis(context: Context): readonly GenesisFinding[] {
  return [
    ...checkBftGenesis(context, {
      codec: ibftExtraData,
      isFirst: true,
      oldEmptyPeriod: "has no effect on IBFT 2.0, as in Besu",
    }),
    ...checkEmptyPeriod(context),
    ...checkTimeout(context),
    ...checkEnd(context),
  ];
}

/** Besu supports the setting for QBFT only. */
function checkEmptyPeriod({ settings, transitions }: Context): readonly GenesisFinding[] {
  const longest = [settings, ...transitions].reduce(
    (most, { emptyBlockPeriodSeconds = 0 }) => Math.max(most, emptyBlockPeriodSeconds),
    0,
  );
  const { requestTimeoutSeconds } = settings;
  if (longest <= requestTimeoutSeconds) return [];
  return [
    {
      severity: "warning",
      key: `config.${ENGINE}.emptyblockperiodseconds`,
      problem: `is ${longest}; Besu ignores it for IBFT 2.0, and its validators give up round 0 after ${requestTimeoutSeconds} s: empty blocks need a later round where they take part`,
      fix: `let all validators run Plinth, or set at most ${requestTimeoutSeconds}`,
    },
  ];
}

/** The timeout starts with the height, and the proposer waits for the period first. */
function checkTimeout({ settings, transitions }: Context): readonly GenesisFinding[] {
  const periods = [settings, ...transitions].map(
    ({ blockPeriodSeconds = 0 }) => blockPeriodSeconds,
  );
  const longest = Math.max(...periods);
  const { requestTimeoutSeconds } = settings;
  if (requestTimeoutSeconds > longest) return [];
  return [
    {
      severity: "warning",
      key: `config.${ENGINE}.requesttimeoutseconds`,
      problem: `is ${requestTimeoutSeconds}, and the period ${longest}: round 0 ends before its block may be proposed, so every block needs a later round`,
      fix: `set at least ${longest + 1}, better ${2 * longest}`,
    },
  ];
}

function checkEnd({ transitions, endBlock }: Context): readonly GenesisFinding[] {
  const late = transitions.find(({ block }) => endBlock !== undefined && BigInt(block) >= endBlock);
  if (late === undefined) return [];
  return [
    {
      severity: "warning",
      key: `config.transitions.${ENGINE}`,
      problem: `has an entry for block ${late.block}, which another engine produces: it has no effect`,
      fix: "move it to the transitions of that engine",
    },
  ];
}
