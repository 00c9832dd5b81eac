import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";

/** Wallets and libraries count in doubles: a larger id is not the same everywhere. */
const MAX_CHAIN_ID = 4_503_599_627_370_476n;

/** Replay protection needs an id, and one that every tool can write. */
export function checkChainId({ chainId }: GenesisFacts): readonly GenesisFinding[] {
  const key = "config.chainId";
  if (chainId === undefined) {
    return [
      {
        severity: "warning",
        key,
        problem: "is missing: transactions are not bound to this chain, and wallets refuse it",
        fix: "add a chain id of your own before the network begins",
      },
    ];
  }
  if (chainId === 0n) {
    return [
      {
        // A chain that was begun with it goes on, as it does with Besu.
        severity: "warning",
        key,
        problem: "is 0, to which no transaction can be bound",
        fix: "choose a number from 1 on",
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
