import type { StateReader } from "@plinth/core";
import type { KnownAccount } from "@plinth/plugin-rpc-dev/api";
import { grouped } from "./grouped.js";

const WEI_PER_ETHER = 10n ** 18n;

/** A table of accounts: number, address, balance and key. */
export function formatAccounts(
  accounts: readonly KnownAccount[],
  state: StateReader,
): readonly string[] {
  const rows = accounts.map(({ address, privateKey }, index) => {
    const ether = (state.findAccount(address)?.balance ?? 0n) / WEI_PER_ETHER;
    return [String(index), address, grouped(ether), privateKey] as const;
  });
  const table = [["#", "address", "ether", "private key"] as const, ...rows];
  const width = (column: 0 | 1 | 2) => Math.max(...table.map((row) => row[column].length));
  return table.map(([index, address, ether, key]) =>
    [index.padStart(width(0)), address.padEnd(width(1)), ether.padStart(width(2)), key].join("  "),
  );
}
