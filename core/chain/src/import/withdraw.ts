import type { Withdrawal } from "@plinth/core/blocks";
import type { WorldState } from "@plinth/core/evm";

const WEI_PER_GWEI = 10n ** 9n;

/** Pays withdrawals, after the last transaction (EIP-4895); a zero amount creates no account. */
export function applyWithdrawals(state: WorldState, withdrawals: readonly Withdrawal[]): void {
  for (const { address, amountGwei } of withdrawals) {
    if (amountGwei === 0n) continue;
    const balance = state.findAccount(address)?.balance ?? 0n;
    state.setAccount(address, { balance: balance + amountGwei * WEI_PER_GWEI });
  }
}
