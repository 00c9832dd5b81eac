import { t } from "@plinth/core";
import type { KnownAccount } from "./api.js";

const alloc = t.record(t.json);
const keyed = t.object({ privateKey: t.optional(t.text) });

/** The accounts of a genesis file that include their private keys. */
export function findKnownAccounts(genesis: object): readonly KnownAccount[] {
  const accounts = alloc.decode(Reflect.get(genesis, "alloc") ?? {}, "alloc");
  return Object.entries(accounts).flatMap(([name, account]) => {
    const { privateKey } = keyed.decode(account, `alloc.${name}`);
    if (privateKey === undefined) return [];
    const address = t.address.decode(withPrefix(name), `alloc.${name}`);
    return [{ address, privateKey: withPrefix(privateKey) }];
  });
}

function withPrefix(hex: string): string {
  return hex.startsWith("0x") ? hex : `0x${hex}`;
}
