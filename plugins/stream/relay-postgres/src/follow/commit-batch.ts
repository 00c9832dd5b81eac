import { type Database, inTransaction } from "../database/database.js";
import type { AllBalances } from "../rows/balance-rows.js";
import { type CursorRow, moveCursor } from "../schema/cursor-row.js";
import type { Batch } from "./batch.js";
import { deleteAfter, writeRows } from "./write-rows.js";

/** What a commit depends on besides its batch. */
export interface CommitContext {
  /** The channel that is notified. */
  readonly channel: string;
  /** All balances after a block of the batch, if they can be read; called if those before it are not known. */
  openBalances(): Promise<AllBalances | undefined>;
}

/** Writes a batch and the cursor after it in one transaction; returns that cursor. */
export function commitBatch(
  database: Database,
  cursor: CursorRow,
  batch: Batch,
  context: CommitContext,
): Promise<CursorRow> {
  return inTransaction(database, async () => {
    // First, so that two writers wait for each other here.
    const knowsBalances = continuesBalances(cursor, batch);
    using balances = knowsBalances ? undefined : await context.openBalances();
    const after = {
      ...cursor,
      ...{ stream: batch.stream, block: batch.head, firstBlock: firstBlock(cursor, batch) },
      balancesFrom: knowsBalances ? cursor.balancesFrom : balances?.header.number,
    };
    await moveCursor(database, cursor, after);
    if (batch.kept !== undefined) await deleteAfter(database, batch.kept);
    if (!knowsBalances) await database.execute("DELETE FROM balances");
    if (balances !== undefined) await writeAllBalances(database, balances);
    for (const [table, parts] of batch.rows(after.balancesFrom)) {
      await writeRows(database, table, parts);
    }
    await notify(database, context.channel, after);
    return after;
  });
}

/** Whether the balances after the batch follow from those before it. */
function continuesBalances({ balancesFrom }: CursorRow, { kept, added }: Batch): boolean {
  if (balancesFrom === undefined || (kept !== undefined && kept < balancesFrom)) return false;
  return added.every(({ hasBalances }) => hasBalances);
}

/** The head can be set back to a block before the first one in the tables. */
function firstBlock({ firstBlock }: CursorRow, { kept, added }: Batch): bigint | undefined {
  const isEmpty = firstBlock === undefined || (kept !== undefined && kept < firstBlock);
  return isEmpty ? added[0]?.number : firstBlock;
}

async function writeAllBalances(database: Database, balances: AllBalances): Promise<void> {
  for await (const rows of balances.rows()) {
    await writeRows(database, "balances", [{ rows }]);
  }
}

/** Listeners are notified when the transaction is committed. */
async function notify(database: Database, channel: string, { block }: CursorRow): Promise<void> {
  if (block === undefined) return;
  const payload = JSON.stringify({ number: Number(block.number), hash: block.hash });
  await database.query("SELECT pg_notify($1, $2)", [channel, payload]);
}
