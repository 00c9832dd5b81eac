/** Number of validators that may fail without stopping the chain. */
export function maxFailures(validators: number): number {
  return Math.floor((validators - 1) / 3);
}

/** Number of validators that must agree: two thirds, rounded up. */
export function quorumOf(validators: number): number {
  return Math.ceil((2 * validators) / 3);
}
