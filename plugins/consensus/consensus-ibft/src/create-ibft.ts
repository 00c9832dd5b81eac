import type { EngineContext } from "@plinth/core";
import {
  type Bft,
  type BftParts,
  type BftSettings,
  type BftTransition,
  createBft,
  votedValidators,
} from "@plinth/kit-bft";

/** Creates IBFT 2.0 for a genesis file. */
export function createIbft(
  context: EngineContext<BftSettings, BftTransition>,
  parts: BftParts,
): Bft {
  const { settings, transitions, endBlock } = context;
  const read = {
    ...context,
    settings: withoutOldName(settings),
    transitions: transitions.map(withoutOldName),
  };
  const { consensus, chain } = createBft(read, parts, {
    isStrict: true,
    validators: (_, voted) => votedValidators(voted),
  });
  const successor = endBlock === undefined ? undefined : { block: endBlock, namespace: "qbft" };
  return { consensus, chain: { ...chain, successor } };
}

/**
 * The old name of the empty block period has no effect here, as in Besu: networks whose files have
 * it continue as before.
 */
function withoutOldName<T extends Pick<BftSettings, "xEmptyBlockPeriodSeconds">>(stage: T): T {
  return { ...stage, xEmptyBlockPeriodSeconds: undefined };
}
