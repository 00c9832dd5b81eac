/** The gas that a simulated call gets: what it asks for, up to the operator's limit. */
export function gasFor(wanted: bigint, cap: number): bigint {
  return cap > 0 && wanted > BigInt(cap) ? BigInt(cap) : wanted;
}
