import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";

/** Wallets and libraries use doubles: a larger id is not exact everywhere. */
const MAX_CHAIN_ID = 4_503_599_627_370_476n;

/** Replay protection requires an id that every tool can represent. */
export function checkChainId({ chainId }: GenesisFacts): readonly GenesisFinding[] {
  const key = "config.chainId";
  if (chainId === undefined) {
    return [
      {
        severity: "warning",
        key,
        problem: "is missing: transactions are not bound to this chain, and wallets reject it",
        fix: "add your own chain id before the network starts",
      },
    ];
  }
  if (chainId === 0n) {
    return [
      {
        // An existing chain with it continues, as with Besu.
        severity: "warning",
        key,
        problem: "is 0, to which no transaction can be bound",
        fix: "choose a number greater than 0",
      },
    ];
  }
  if (chainId <= MAX_CHAIN_ID) return [];
  return [
    {
      severity: "warning",
      key,
      problem: `is ${chainId}, more than wallets can handle`,
      fix: `choose one of at most ${MAX_CHAIN_ID}`,
    },
  ];
}
