import type { ConsensusEngine } from "../consensus/engine.js";
import type { ForkPoint } from "../consensus/fork-rules.js";
import { type Fork, isAtLeast } from "../evm/fork.js";

/** EIP-7825: the most gas of a transaction, from Osaka on. */
const OSAKA_GAS = 2n ** 24n;

/** The most gas of a transaction in a block: what the engine says, else what the fork says; `undefined` for any. */
export function maxTransactionGas(
  engine: Pick<ConsensusEngine, "maxTransactionGas">,
  point: ForkPoint,
  fork: Fork,
): bigint | undefined {
  const limit = engine.maxTransactionGas?.(point) ?? forkGas(fork);
  return limit === 0n ? undefined : limit;
}

/** The most gas of a transaction under a fork, whatever the engine; `undefined` for any. */
export function forkGas(fork: Fork): bigint | undefined {
  return isAtLeast(fork, "osaka") ? OSAKA_GAS : undefined;
}
