import type { Block } from "@plinth/core";
import type { BlockReward } from "@plinth/core/consensus";
import { FORKS, type Fork, type WorldState } from "@plinth/core/evm";

const ETHER = 10n ** 18n;
/** The miner's reward for including an uncle, as a share of the block reward. */
const NEPHEW_SHARE = 32n;
/** An uncle loses an eighth of the reward for every block it is late. */
const UNCLE_SHARE = 8n;

/** Pays the miner of a block and those of its uncles. */
export function payRewards(state: WorldState, block: Block, fork: Fork): void {
  for (const reward of rewardsOf(block, fork)) pay(state, reward);
}

/** The reward of a block's miner, followed by those of its uncles. */
export function rewardsOf({ header, body }: Block, fork: Fork): readonly BlockReward[] {
  const reward = rewardOf(fork);
  const amount = reward + (reward / NEPHEW_SHARE) * BigInt(body.uncles.length);
  return [
    { kind: "block", beneficiary: header.coinbase, amount },
    ...body.uncles.map(({ coinbase, number }) => {
      const eighths = UNCLE_SHARE - (header.number - number);
      return {
        kind: "uncle" as const,
        beneficiary: coinbase,
        amount: (reward * eighths) / UNCLE_SHARE,
      };
    }),
  ];
}

/** The block reward; EIP-649 and EIP-1234 lowered that of Frontier. */
export function rewardOf(fork: Fork): bigint {
  const isFrom = (other: Fork) => FORKS.indexOf(fork) >= FORKS.indexOf(other);
  return (isFrom("constantinople") ? 2n : isFrom("byzantium") ? 3n : 5n) * ETHER;
}

function pay(state: WorldState, { beneficiary, amount }: BlockReward): void {
  const balance = state.findAccount(beneficiary)?.balance ?? 0n;
  state.setAccount(beneficiary, { balance: balance + amount });
}
