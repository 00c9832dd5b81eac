/** The first base fee of a chain that adopts it and says nothing about it (EIP-1559). */
export const INITIAL_BASE_FEE = 1_000_000_000n;
