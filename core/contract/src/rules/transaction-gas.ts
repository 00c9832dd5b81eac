import type { ConsensusEngine } from "../consensus/engine.js";
import type { ForkPoint } from "../consensus/fork-rules.js";
import type { Fork } from "../evm/fork.js";
import { rulesOf } from "../evm/forks/rules-of.js";

/**
 * Maximum gas of a transaction in a block: of the engine, otherwise of the fork; `undefined` for no
 * limit.
 */
export function maxTransactionGas(
  engine: Pick<ConsensusEngine, "maxTransactionGas">,
  point: ForkPoint,
  fork: Fork,
): bigint | undefined {
  const limit = engine.maxTransactionGas?.(point) ?? rulesOf(fork).maxTransactionGas;
  return limit === 0n ? undefined : limit;
}
