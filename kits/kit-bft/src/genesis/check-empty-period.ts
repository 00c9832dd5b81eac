import type { EngineCheckContext, GenesisFinding } from "@plinth/core/consensus";
import type { BftSettings, BftTransition } from "./settings.js";

/** Names of the setting that other releases interpret differently. */
export function checkEmptyPeriodName(
  { settings, transitions }: EngineCheckContext<BftSettings, BftTransition>,
  engine: string,
  effect: string,
): readonly GenesisFinding[] {
  const places = [
    { key: `config.${engine}`, stage: settings },
    ...transitions.map((stage, index) => ({
      key: `config.transitions.${engine}[${index}]`,
      stage,
    })),
  ];
  return places
    .filter(({ stage }) => stage.xEmptyBlockPeriodSeconds !== undefined)
    .map(({ key, stage }) => ({
      severity: "warning",
      key: `${key}.xemptyblockperiodseconds`,
      problem:
        stage.emptyBlockPeriodSeconds === undefined
          ? effect
          : "is ignored together with emptyblockperiodseconds",
      fix: "use emptyblockperiodseconds, its name from Besu 26.5 on",
    }));
}

/** The longest empty block period of a file; 0 if there is none. */
export function longestEmptyPeriod({
  settings,
  transitions,
}: Pick<EngineCheckContext<BftSettings, BftTransition>, "settings" | "transitions">): number {
  return [settings, ...transitions].reduce(
    (longest, { emptyBlockPeriodSeconds, xEmptyBlockPeriodSeconds }) =>
      Math.max(longest, emptyBlockPeriodSeconds ?? xEmptyBlockPeriodSeconds ?? 0),
    0,
  );
}
