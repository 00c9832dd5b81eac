import type { StateReader } from "@plinth/core";
import type { KnownAccount } from "@plinth/plugin-rpc-dev/api";
import { grouped } from "./grouped.js";

const WEI_PER_ETHER = 10n ** 18n;

/** Two tables of accounts that fit a terminal: their balances, then their keys. */
export function formatAccounts(
  accounts: readonly KnownAccount[],
  state: StateReader,
): readonly string[] {
  const rows = accounts.map(({ address, privateKey }, index) => {
    const ether = (state.findAccount(address)?.balance ?? 0n) / WEI_PER_ETHER;
    return { index: String(index), address, ether: grouped(ether), privateKey };
  });
  const widestIndex = Math.max(...rows.map(({ index }) => index.length));
  const widestEther = Math.max(...rows.map(({ ether }) => ether.length));
  const pad = (index: string) => index.padStart(widestIndex);
  return [
    "Accounts",
    ...rows.map(
      ({ index, address, ether }) =>
        `${pad(index)}  ${address}  ${ether.padStart(widestEther)} ether`,
    ),
    "Private keys",
    ...rows.map(({ index, privateKey }) => `${pad(index)}  ${privateKey}`),
  ];
}
