import { createHash } from "node:crypto";
import { type Address, type Hash, t, toHex, toQuantity } from "@plinth/core";
import type { FetchedValues } from "@plinth/core/chain";

/** A fetched account or slot. */
export type CachedValue =
  | { readonly kind: "account"; readonly entry: FetchedValues["accounts"][number] }
  | { readonly kind: "slot"; readonly entry: FetchedValues["slots"][number] };

const CHECKSUM_CHARACTERS = 16;

/** A value as a line of a file, with a checksum. */
export function encodeValue(value: CachedValue): string {
  const json = JSON.stringify(toJson(value));
  return `${checksumOf(json)} ${json}`;
}

/** The value of a line; `undefined` if the line is empty, cut off or damaged. */
export function decodeValue(line: string): CachedValue | undefined {
  const json = line.slice(CHECKSUM_CHARACTERS + 1);
  if (line.slice(0, CHECKSUM_CHARACTERS) !== checksumOf(json)) return undefined;
  const [address, slot, nonce, balance, code] = JSON.parse(json) as readonly (string | null)[];
  const owner = t.address.decode(address);
  if (slot !== null) {
    return {
      kind: "slot",
      entry: { address: owner, slot: t.hash.decode(slot), value: BigInt(nonce ?? 0) },
    };
  }
  if (nonce === undefined)
    return { kind: "account", entry: { address: owner, account: undefined } };
  const account = {
    nonce: BigInt(nonce ?? 0),
    balance: BigInt(balance ?? 0),
    code: t.data.decode(code),
  };
  return { kind: "account", entry: { address: owner, account } };
}

function toJson(value: CachedValue): readonly (Address | Hash | string | null)[] {
  if (value.kind === "slot") {
    const { address, slot, value: number } = value.entry;
    return [address, slot, toQuantity(number)];
  }
  const { address, account } = value.entry;
  if (account === undefined) return [address, null];
  const { nonce, balance, code } = account;
  return [address, null, toQuantity(nonce), toQuantity(balance), toHex(code)];
}

function checksumOf(json: string): string {
  return createHash("sha256").update(json).digest("hex").slice(0, CHECKSUM_CHARACTERS);
}
