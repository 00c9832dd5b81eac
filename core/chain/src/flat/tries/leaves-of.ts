import type { Steps } from "@plinth/core/async";
import { encodeAccount, encodeSlotValue, textOf } from "../../state/state-values.js";
import { isAccountKey, prefixOfSlot, trieKeyOfSlot } from "../keys.js";
import { decodeAccountBody, decodeSlotBody, type FlatValue } from "../record.js";
import type { LeafChange } from "./update-in-steps.js";

/** Values that are read in one step: about a millisecond. */
const KEYS_AT_ONCE = 32;

/** The leaves of keys: of accounts, and of each storage. */
export function* leavesOf(
  keys: Iterable<string>,
  find: (key: Uint8Array) => FlatValue | undefined,
): Steps<{
  readonly accounts: readonly LeafChange[];
  readonly storages: Iterable<readonly [prefix: Uint8Array, slots: readonly LeafChange[]]>;
}> {
  const accounts: LeafChange[] = [];
  const storages = new Map<string, [prefix: Uint8Array, slots: LeafChange[]]>();
  let count = 0;
  for (const text of keys) {
    if (++count % KEYS_AT_ONCE === 0) yield;
    const key = Buffer.from(text, "latin1");
    const value = find(key);
    if (isAccountKey(key)) {
      accounts.push({ key, value: accountLeaf(value) });
      continue;
    }
    const prefix = prefixOfSlot(key);
    const [, slots] = storages.get(textOf(prefix)) ?? [prefix, []];
    slots.push({ key: trieKeyOfSlot(key), value: slotLeaf(value) });
    storages.set(textOf(prefix), [prefix, slots]);
  }
  return { accounts, storages: storages.values() };
}

function accountLeaf(value: FlatValue | undefined): Uint8Array | undefined {
  const account = value && decodeAccountBody(value.body);
  return account && encodeAccount(account);
}

function slotLeaf(value: FlatValue | undefined): Uint8Array | undefined {
  const slot = value === undefined ? 0n : decodeSlotBody(value.body);
  return slot === 0n ? undefined : encodeSlotValue(slot);
}
