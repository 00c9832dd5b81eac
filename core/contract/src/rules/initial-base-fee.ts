/** The default first base fee of a chain (EIP-1559). */
export const INITIAL_BASE_FEE = 1_000_000_000n;
