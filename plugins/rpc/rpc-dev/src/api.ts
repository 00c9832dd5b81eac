import { type Address, defineService } from "@plinth/core";

/** A well-known account: its private key is in the genesis file. */
export interface KnownAccount {
  readonly address: Address;
  readonly privateKey: string;
}

/** The well-known accounts of the chain. */
export const knownAccounts = defineService<readonly KnownAccount[]>("rpc-dev.accounts", {
  hint: "@plinth/plugin-rpc-dev",
});
