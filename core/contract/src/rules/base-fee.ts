import type { ForkPoint } from "../consensus/fork-rules.js";
import type { ForkSchedule } from "./forks.js";
import { INITIAL_BASE_FEE } from "./initial-base-fee.js";

/** Maximum change of the base fee per block, as a fraction (EIP-1559). */
const MAX_CHANGE_DENOMINATOR = 8n;
/** The gas target is half of the gas limit (EIP-1559). */
const ELASTICITY = 2n;

/** The fields of a parent block that determine the base fee. */
export interface BaseFeeParent {
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** Undefined before London. */
  readonly baseFeePerGas?: bigint;
}

/**
 * The base fee of the block after this one (EIP-1559).
 *
 * A fee of zero stays zero however full blocks are: on networks without fees it must not start to
 * rise.
 */
export function nextBaseFee({ gasLimit, gasUsed, baseFeePerGas }: BaseFeeParent): bigint {
  if (baseFeePerGas === undefined) return INITIAL_BASE_FEE;
  if (baseFeePerGas === 0n) return 0n;
  const target = gasLimit / ELASTICITY;
  if (target === 0n || gasUsed === target) return baseFeePerGas;
  if (gasUsed > target) {
    const rise = (baseFeePerGas * (gasUsed - target)) / target / MAX_CHANGE_DENOMINATOR;
    return baseFeePerGas + (rise > 0n ? rise : 1n);
  }
  const fall = (baseFeePerGas * (target - gasUsed)) / target / MAX_CHANGE_DENOMINATOR;
  return baseFeePerGas - fall;
}

/**
 * The base fee of the block after this one, which has one, on a chain that may have its own fee
 * rules.
 */
export function baseFeeOn(
  parent: BaseFeeParent & ForkPoint,
  forks: Pick<ForkSchedule, "rules" | "rulesAt">,
): bigint {
  const { baseFee, initialBaseFee } = forks.rules;
  if (baseFee === "zero") return 0n;
  if (parent.baseFeePerGas === undefined || !forks.rulesAt(parent).hasBaseFee) {
    return initialBaseFee;
  }
  return baseFee === "fixed" ? parent.baseFeePerGas : nextBaseFee(parent);
}
