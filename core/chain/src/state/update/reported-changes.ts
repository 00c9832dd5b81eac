import { EMPTY_ROOT, type Hash, InvalidBlock, toHex, Yielder } from "@plinth/core";
import type { ReportedAccount, StoredAccount } from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import { hashedKey } from "../hashed-key.js";
import type { AccountChange } from "../state-root.js";
import { EMPTY_SLOT, type SlotChange, type StateSource } from "../state-source.js";
import { bytesOf, textOf } from "../state-values.js";

/**
 * The changes of a state that another node reports, yielding to the event loop; rejects with `InvalidBlock` if they contradict
 * themselves. Whether they are right shows the root after them.
 */
export async function readReported(
  source: StateSource,
  accounts: readonly ReportedAccount[],
  findCode: (hash: Hash) => Uint8Array | undefined,
): Promise<readonly AccountChange[]> {
  const turns = new Yielder("chain");
  const known = new Set<string>();
  const changes: AccountChange[] = [];
  for (const reported of accounts) {
    const { address, account: after } = reported;
    const key = keyOf(reported.key, address, known, "account");
    const before = source.findAccount(key);
    const storageRoot = reported.isCleared ? EMPTY_ROOT : (before?.storageRoot ?? EMPTY_ROOT);
    const code = codeOf(reported, before, findCode);
    changes.push({
      ...{ address, key, before, after, storageRoot },
      slots: await readSlots(source, reported.slots, { key, before, storageRoot, turns }),
      ...(code !== undefined && { code }),
    });
    if (turns.isDue) await turns.yield();
  }
  return changes;
}

async function readSlots(
  source: StateSource,
  slots: ReportedAccount["slots"],
  owner: Pick<AccountChange, "key" | "before" | "storageRoot"> & { readonly turns: Yielder },
): Promise<readonly SlotChange[]> {
  const known = new Set<string>();
  const { key: account, before: stored, storageRoot, turns } = owner;
  const isEmpty = stored === undefined || storageRoot === EMPTY_ROOT;
  const changes: SlotChange[] = [];
  for (const { slot, value, ...reported } of slots) {
    const key = keyOf(reported.key, slot, known, "slot");
    const before = isEmpty ? EMPTY_SLOT : source.findSlot({ key: account, stored }, key);
    if (before.value !== value) changes.push({ slot, key, before, value });
    if (turns.isDue) await turns.yield();
  }
  return changes;
}

/** The trie key, which must be the hash of what it is said to be that of, and must not have occurred. */
function keyOf(
  reported: Hash | undefined,
  preimage: Hash | undefined,
  known: Set<string>,
  kind: "account" | "slot",
): Uint8Array {
  if (reported === undefined && preimage === undefined) throw contradiction(`a ${kind} has no key`);
  const key = preimage === undefined ? bytesOf(reported ?? "0x") : hashedKey(preimage);
  if (preimage !== undefined && reported !== undefined && toHex(key) !== reported) {
    throw contradiction(`the key ${reported} is not the hash of the ${kind} ${preimage}`);
  }
  const text = textOf(key);
  if (known.has(text)) throw contradiction(`the ${kind} ${preimage ?? reported} occurs twice`);
  known.add(text);
  return key;
}

/** The new code of an account. */
function codeOf(
  { key, address = key, account, code }: ReportedAccount,
  before: StoredAccount | undefined,
  findCode: (hash: Hash) => Uint8Array | undefined,
): Uint8Array | undefined {
  const hash = account?.codeHash ?? EMPTY_CODE_HASH;
  if (code !== undefined) {
    const actual = keccakHash(code);
    if (actual === hash) return code;
    throw contradiction(`the code of ${address} has the hash ${actual}, its account ${hash}`);
  }
  if (hash === EMPTY_CODE_HASH || hash === before?.codeHash) return undefined;
  if (findCode(hash) !== undefined) return undefined;
  throw contradiction(`the code ${hash} of ${address} is missing`);
}

function contradiction(problem: string): InvalidBlock {
  return new InvalidBlock("reported-changes", problem);
}
