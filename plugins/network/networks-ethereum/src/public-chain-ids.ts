/**
 * Chain ids of public networks, to which a wallet could send transactions intended for a private
 * network.
 */
export const PUBLIC_CHAIN_IDS: ReadonlyMap<bigint, string> = new Map([
  [1n, "Ethereum"],
  [10n, "OP Mainnet"],
  [25n, "Cronos"],
  [56n, "BNB Smart Chain"],
  [61n, "Ethereum Classic"],
  [100n, "Gnosis"],
  [137n, "Polygon"],
  [250n, "Fantom"],
  [324n, "ZKsync Era"],
  [8453n, "Base"],
  [17_000n, "Holesky"],
  [42_161n, "Arbitrum One"],
  [42_220n, "Celo"],
  [43_114n, "Avalanche"],
  [59_144n, "Linea"],
  [534_352n, "Scroll"],
  [560_048n, "Hoodi"],
  [11_155_111n, "Sepolia"],
]);
