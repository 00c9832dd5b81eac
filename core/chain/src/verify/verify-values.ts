import { messageOf, toHex } from "@plinth/core";
import type { VerifiedNode } from "@plinth/core/chain";
import type { Table } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { accountOfPrefix, incarnationOfPrefix, prefixOfSlot } from "../flat/keys.js";
import { decodeRecord, type FlatRecord } from "../flat/record.js";
import { readFormat } from "../flat/state-format.js";

/** The number of leaves of the tries of a state. */
export interface LeafCounts {
  readonly accounts: number;
  readonly slots: number;
}

/**
 * Verifies that flat tables have no other values than the leaves of the tries, which were compared with them.
 *
 * Yields after each value; nothing for a layout without flat tables.
 */
export async function* verifyValues(
  source: { table(name: string): Table },
  { head, leaves }: { readonly head: number; readonly leaves: LeafCounts },
): AsyncGenerator<VerifiedNode> {
  if (readFormat(source) !== "BONSAI") return;
  const count = { [TABLES.accounts]: 0, [TABLES.slots]: 0 };
  const accounts = source.table(TABLES.accounts);
  for (const table of [TABLES.accounts, TABLES.slots] as const) {
    for await (const [key, value] of source.table(table).iterate()) {
      try {
        const record = decodeRecord(value);
        if (record.since > head) throw new RangeError(`it is of block ${record.since}`);
        const isSeen = table === TABLES.accounts || !isCleared(accounts, key);
        if (isSeen && record.body.length > 0) count[table] += 1;
        yield { problems: [] };
      } catch (error) {
        yield problem(`${table} ${toHex(key)}: ${messageOf(error)}`);
      }
    }
  }
  for (const [table, expected] of [
    [TABLES.accounts, leaves.accounts],
    [TABLES.slots, leaves.slots],
  ] as const) {
    if (count[table] === expected) continue;
    yield problem(`the table ${table} has ${count[table]} values, but the tries have ${expected}`);
  }
}

/** Whether a slot is of storage that its account no longer has. */
function isCleared(accounts: Table, slot: Uint8Array): boolean {
  const prefix = prefixOfSlot(slot);
  const bytes = accounts.getSync(accountOfPrefix(prefix));
  const account: FlatRecord | undefined = bytes && decodeRecord(bytes);
  return incarnationOfPrefix(prefix) < (account?.incarnation ?? 0);
}

function problem(text: string): VerifiedNode {
  return { problems: [{ where: "state", problem: text }] };
}
