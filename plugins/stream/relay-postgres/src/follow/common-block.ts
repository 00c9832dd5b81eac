import type { SealedHeader } from "@plinth/core";
import type { Database } from "../database/database.js";
import { hashOfValue } from "../rows/values.js";
import type { BlockPoint, CursorRow } from "../schema/cursor-row.js";

/** The last block that the tables have in common with a chain; `undefined` if there is none. */
export async function findCommonBlock(
  database: Database,
  { block }: CursorRow,
  findHeader: (number: bigint) => SealedHeader | undefined,
): Promise<BlockPoint | undefined> {
  let below = (block?.number ?? -1n) + 1n;
  while (below > 0n) {
    const rows = await database.query(
      "SELECT number, hash FROM blocks WHERE number < $1 ORDER BY number DESC LIMIT 256",
      [String(below)],
    );
    if (rows.length === 0) return undefined;
    for (const [number, hash] of rows) {
      const point = { number: BigInt(number ?? 0), hash: hashOfValue(hash ?? "") };
      if (findHeader(point.number)?.hash === point.hash) return point;
      below = point.number;
    }
  }
  return undefined;
}
