import type { Node } from "@plinth/node";
import type { Database } from "@plinth/plugin-relay-postgres/api";
import { expect, vi } from "vitest";

const OTHER_TABLES = ["transactions", "receipts", "logs", "balances", "events", "token_transfers"];

/** Reads text rows of the tables of a relay. */
export type ReadRows = (sql: string) => Promise<readonly (readonly (string | null)[])[]>;

/** Resolves once the head of a node is in its tables; `schema` names them. */
export async function untilRelayed(node: Node, read: ReadRows, schema: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const rows = await read(
        `SELECT encode(block_hash, 'hex') FROM "${schema}".cursor WHERE stream_id IS NOT NULL`,
      );
      expect(rows).toEqual([[node.blocks.head().hash.slice(2)]]);
    },
    { timeout: 30_000, interval: 5 },
  );
}

/** Expects the tables to have the canonical chain of a node and nothing else. */
export async function expectRelayed(
  { blocks }: Node,
  read: ReadRows,
  schema: string,
): Promise<void> {
  const head = blocks.head();
  const chain = Array.from({ length: Number(head.number) + 1 }, (_, number) => {
    const block = blocks.findBlock(BigInt(number));
    if (block === undefined) throw new Error(`there is no block ${number}`);
    return block;
  });
  const found = await read(
    `SELECT number, encode(hash, 'hex') FROM "${schema}".blocks ORDER BY number`,
  );
  expect(found).toEqual(chain.map(({ header }) => [String(header.number), header.hash.slice(2)]));
  const hashes = chain.flatMap(({ body }) => body.transactions.map(({ hash }) => hash.slice(2)));
  for (const [table, column] of [
    ["transactions", "hash"],
    ["receipts", "transaction_hash"],
  ] as const) {
    const rows = await read(
      `SELECT encode(${column}, 'hex') FROM "${schema}".${table} ORDER BY block_number, transaction_index`,
    );
    expect(rows.flat()).toEqual(hashes);
  }
  const logs = chain.flatMap(({ header }) =>
    (blocks.findReceipts(header.hash) ?? []).flatMap((receipt) =>
      receipt.logs.map(({ address }) => [String(header.number), address.slice(2)]),
    ),
  );
  const logRows = await read(
    `SELECT block_number, encode(address, 'hex') FROM "${schema}".logs ORDER BY block_number, log_index`,
  );
  expect(logRows).toEqual(logs);
  const balances = await read(
    `SELECT encode(address, 'hex'), balance FROM "${schema}".current_balances`,
  );
  const state = blocks.stateAt(head);
  expect(balances.length).toBeGreaterThan(0);
  expect(balances).toEqual(
    balances.map(([address]) => [
      address,
      String(state.findAccount(`0x${address}`)?.balance ?? 0n),
    ]),
  );
}

/** Expects the tables to have the blocks up to the one of the cursor, each linked to the one before, and rows of these only. */
export async function expectCommitted(database: Pick<Database, "query">): Promise<void> {
  const [state] = await database.query(
    `SELECT block_number, encode(block_hash, 'hex'), count(number), max(number), min(number),
       (SELECT encode(hash, 'hex') FROM plinth.blocks WHERE number = block_number),
       count(*) FILTER (WHERE number > 0 AND NOT EXISTS (
         SELECT FROM plinth.blocks AS parent WHERE parent.number = each.number - 1 AND parent.hash = each.parent_hash
       ))
     FROM plinth.cursor LEFT JOIN plinth.blocks AS each ON true GROUP BY block_number, block_hash`,
  );
  const [number, hash, count, last, first, hashOfLast, unlinked] = state ?? [];
  expect({ count, last, first, hashOfLast, unlinked }).toEqual({
    ...{ count: String(Number(number) + 1), last: number, first: "0" },
    ...{ hashOfLast: hash, unlinked: "0" },
  });
  for (const table of OTHER_TABLES) {
    const later = await database.query(
      `SELECT count(*) FROM plinth.${table} WHERE block_number > ${number}`,
    );
    expect([table, ...later.flat()]).toEqual([table, "0"]);
  }
  const [sums] = await database.query(
    "SELECT sum(transaction_count), (SELECT count(*) FROM plinth.transactions), (SELECT count(*) FROM plinth.receipts) FROM plinth.blocks",
  );
  expect(sums?.slice(1)).toEqual([sums?.[0], sums?.[0]]);
}
