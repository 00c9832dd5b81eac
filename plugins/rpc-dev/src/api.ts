import { type Address, defineService } from "@plinth/core";

/** An account whose key stands in the genesis file, for everybody to see. */
export interface KnownAccount {
  readonly address: Address;
  readonly privateKey: string;
}

/** Where others find the accounts whose keys everybody knows. */
export const knownAccounts = defineService<readonly KnownAccount[]>("rpc-dev.accounts", {
  hint: "@plinth/plugin-rpc-dev",
});
