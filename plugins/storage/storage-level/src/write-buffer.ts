import { listLevelFolder } from "./files/level-folder.js";

const MIB = 2 ** 20;
/** More than LevelDB's default of 4 MiB: a database that is filled from nothing keeps the buffer that it was opened with. */
const LEAST_BYTES = 16 * MIB;
/** It takes as much memory twice, and half a second to read again after a crash. */
const MOST_BYTES = 32 * MIB;
/** The size of a table as LevelDB writes it. */
const TABLE_BYTES = 2 * MIB;
const SHARE = 1 / 16;

/**
 * How much is written to the log before LevelDB writes a table: a share of the database.
 *
 * What a table of random keys adds is soon merged with all that is below it: LevelDB merges tables not only when there are
 * many, but also when reads pass one of them in vain a hundred times. With a buffer of one size, each block costs more
 * the larger the database is.
 */
export async function writeBufferBytes(folder: string): Promise<number> {
  const { tables } = await listLevelFolder(folder);
  return Math.min(MOST_BYTES, Math.max(LEAST_BYTES, tables.length * TABLE_BYTES * SHARE));
}
