import { EMPTY_ROOT, type Hash } from "@plinth/core";
import { slotKey, storagePrefix } from "../flat/keys.js";
import { encodeAccountBody, encodeSlotBody, type ValueChange } from "../flat/record.js";
import { decodeAccount, decodeSlotValue } from "../state/state-values.js";
import { compareTries, type Difference } from "./trie-difference.js";
import type { HashedNodes } from "./trie-walk.js";

/** The roots of the states before and after a block. */
export interface Roots {
  readonly before: Hash;
  readonly after: Hash;
}

/** A storage that a block cleared, as it was before. */
export interface ClearedStorage {
  readonly prefix: Uint8Array;
  readonly root: Hash;
}

/** The changes of a block. */
export interface BlockChanges {
  readonly values: readonly ValueChange[];
  readonly cleared: readonly ClearedStorage[];
}

/** The changes of a block, found by comparing the tries before and after it. */
export function changesBetween(
  nodes: HashedNodes,
  roots: Roots,
  incarnationOf: (accountKey: Uint8Array) => number,
): BlockChanges {
  const values: ValueChange[] = [];
  const cleared: ClearedStorage[] = [];
  for (const difference of compareTries(nodes, roots)) {
    const { key } = difference;
    const storage = storageOf(difference);
    const before = incarnationOf(key);
    // Storage that is empty now gets a new number: its slots need no entries.
    const isCleared = storage.after === EMPTY_ROOT && storage.before !== EMPTY_ROOT;
    if (isCleared) cleared.push({ prefix: storagePrefix(key, before), root: storage.before });
    const incarnation = isCleared ? before + 1 : before;
    const account = difference.after && decodeAccount(difference.after);
    values.push({ key, incarnation, body: encodeAccountBody(account) });
    if (isCleared || storage.before === storage.after) continue;
    const prefix = storagePrefix(key, incarnation);
    for (const { key: slot, after } of compareTries(nodes, storage)) {
      const value = after === undefined ? 0n : decodeSlotValue(after);
      values.push({ key: slotKey(prefix, slot), incarnation: 0, body: encodeSlotBody(value) });
    }
  }
  return { values, cleared };
}

function storageOf({ before, after }: Difference): Roots {
  return { before: storageRootOf(before), after: storageRootOf(after) };
}

function storageRootOf(account: Uint8Array | undefined): Hash {
  return account === undefined ? EMPTY_ROOT : decodeAccount(account).storageRoot;
}
