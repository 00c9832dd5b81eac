import type { ConsensusEngine } from "../consensus/engine.js";
import type { ForkPoint } from "../consensus/fork-rules.js";
import type { Fork } from "../evm/fork.js";
import { rulesOf } from "../evm/forks/rules-of.js";

/** The most gas of a transaction in a block: what the engine says, else what the fork says; `undefined` for any. */
export function maxTransactionGas(
  engine: Pick<ConsensusEngine, "maxTransactionGas">,
  point: ForkPoint,
  fork: Fork,
): bigint | undefined {
  const limit = engine.maxTransactionGas?.(point) ?? rulesOf(fork).maxTransactionGas;
  return limit === 0n ? undefined : limit;
}
