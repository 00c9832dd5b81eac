/** The gas of a call: what it asks for, up to what an operator gives it; 0 lifts that limit. */
export function callGas(wanted: bigint, cap: bigint): bigint {
  return cap > 0n && cap < wanted ? cap : wanted;
}

/** The gas of a call that is to become a transaction, which has a limit of its own; any when `undefined`. */
export function transactionGas(
  wanted: bigint,
  { most, cap }: { readonly most: bigint | undefined; readonly cap: bigint },
): bigint {
  return callGas(callGas(wanted, cap), most ?? 0n);
}
