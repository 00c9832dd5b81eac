/** The gas of a call: the requested amount, capped by the operator's limit; 0 lifts that limit. */
export function callGas(wanted: bigint, cap: bigint): bigint {
  return cap > 0n && cap < wanted ? cap : wanted;
}

/**
 * The gas of a call that is to become a transaction, which has its own cap; none if `undefined`.
 */
export function transactionGas(
  wanted: bigint,
  { most, cap }: { readonly most: bigint | undefined; readonly cap: bigint },
): bigint {
  return callGas(callGas(wanted, cap), most ?? 0n);
}
