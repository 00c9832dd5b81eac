import { type Address, type Block, FORKS, type Fork, type WorldState } from "@plinth/core";

const ETHER = 10n ** 18n;
/** What a miner gets for naming an uncle, as a share of the reward. */
const NEPHEW_SHARE = 32n;
/** An uncle loses an eighth of the reward for every block it is late. */
const UNCLE_SHARE = 8n;

/** Pays the miner of a block and those of its uncles. */
export function payRewards(state: WorldState, { header, body }: Block, fork: Fork): void {
  const reward = rewardOf(fork);
  pay(state, header.coinbase, reward + (reward / NEPHEW_SHARE) * BigInt(body.uncles.length));
  for (const uncle of body.uncles) {
    const eighths = UNCLE_SHARE - (header.number - uncle.number);
    pay(state, uncle.coinbase, (reward * eighths) / UNCLE_SHARE);
  }
}

/** What a miner gets for a block; EIP-649 and EIP-1234 lowered what Frontier paid. */
export function rewardOf(fork: Fork): bigint {
  const isFrom = (other: Fork) => FORKS.indexOf(fork) >= FORKS.indexOf(other);
  return (isFrom("constantinople") ? 2n : isFrom("byzantium") ? 3n : 5n) * ETHER;
}

function pay(state: WorldState, address: Address, amount: bigint): void {
  state.setAccount(address, { balance: (state.findAccount(address)?.balance ?? 0n) + amount });
}
