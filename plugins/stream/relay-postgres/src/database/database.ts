/** A value on its way to or from the database, in PostgreSQL's text form. */
export type Value = string | null;

/** A row of a result. */
export type Row = readonly Value[];

/** A connection to a PostgreSQL database; statements run one after another. */
export interface Database {
  /** Runs one statement. */
  query(sql: string, values?: readonly Value[]): Promise<readonly Row[]>;
  /** Runs statements without results. */
  execute(sql: string): Promise<void>;
  /** Loads rows in the text form of COPY into `target`, such as `blocks (number, hash)`. */
  copy(target: string, bytes: Buffer): Promise<void>;
  /** Ends the connection; never rejects. */
  close(): Promise<void>;
}

/** Runs work in one transaction: all of it has an effect, or nothing. */
export async function inTransaction<T>(
  database: Pick<Database, "execute">,
  work: () => Promise<T>,
): Promise<T> {
  await database.execute("BEGIN");
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // A connection that is lost cannot roll back, and need not.
    await database.execute("ROLLBACK").catch(() => {});
    throw error;
  }
  await database.execute("COMMIT");
  return result;
}
