import type { EngineCheckContext, GenesisFinding } from "@plinth/core/consensus";
import { isTime } from "./config-at.js";
import type { BftSettings, BftTransition } from "./settings.js";

/**
 * Transitions known to stop or slow down a Besu network: once a fork by time is active, Besu takes
 * some settings from the last transition, whatever its block, and others from the block being
 * built.
 */
export function checkTransitions(
  { settings, transitions: all, facts }: EngineCheckContext<BftSettings, BftTransition>,
  engine: string,
): readonly GenesisFinding[] {
  const transitions = all.filter(({ block }) => !isTime(BigInt(block), facts.forks));
  const hasTimes = facts.forks.activations.some(({ by }) => by === "time");
  const key = `config.transitions.${engine}`;
  const findings: GenesisFinding[] = all
    .filter((each) => !transitions.includes(each) && each.validators !== undefined)
    .map(({ block }) => ({
      severity: "warning",
      key,
      problem: `lists validators from the time ${block} on: Besu and this node replace validators at block numbers only`,
      fix: "put the list into an entry with a block number",
    }));
  if (!hasTimes || transitions.length === 0) return findings;
  const first = settings.miningBeneficiary ?? "";
  if (transitions.some(({ miningBeneficiary = first }) => miningBeneficiary !== first)) {
    findings.push({
      severity: "warning",
      key,
      problem:
        "changes miningbeneficiary beside a fork at a time: a Besu network stops at the fork unless the beneficiary is that of the last entry by then",
      fix: "activate the fork after the block of the last entry, or change the beneficiary before",
    });
  }
  const periods = [settings, ...transitions].map(({ blockPeriodSeconds }) => blockPeriodSeconds);
  const last = periods.findLast((period) => period !== undefined) ?? 0;
  if (periods.some((period) => period !== undefined && period < last)) {
    findings.push({
      severity: "warning",
      key,
      problem: `ends with a longer period, ${last} s, beside a fork at a time: between the fork and that entry Besu needs a second round for each block`,
      fix: "activate the fork after the block of the last entry",
    });
  }
  return findings;
}
