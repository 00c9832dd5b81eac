/** The default settings of a network. */
export const DEFAULT_NETWORK = {
  engine: "qbft",
  nodes: 4,
  period: 2,
  chainId: 1337,
  basePort: 8545,
} as const;
