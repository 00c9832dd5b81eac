import type { StateReader } from "@plinth/core";
import type { KnownAccount } from "@plinth/plugin-rpc-dev/api";

const WEI_PER_ETHER = 10n ** 18n;

/** A line per account: its number, address, balance and key. */
export function formatAccounts(
  accounts: readonly KnownAccount[],
  state: StateReader,
): readonly string[] {
  return accounts.map(({ address, privateKey }, index) => {
    const ether = (state.findAccount(address)?.balance ?? 0n) / WEI_PER_ETHER;
    return `(${index}) ${address} ${ether} ether, key ${privateKey}`;
  });
}
