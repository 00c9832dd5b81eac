import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { transactionFromRlp, transactionToRlp } from "../blocks/transaction.js";
import { ConfigError, messageOf } from "../kernel/errors.js";
import type { Logger } from "../kernel/log.js";
import { decodeRlp, encodeRlp } from "../primitives/rlp.js";
import { RejectedTransaction } from "./errors.js";
import type { Pool } from "./live-pool.js";
import type { PooledTransaction, TransactionOrigin } from "./pooled-transaction.js";

/** A line of a saved pool. */
export interface SavedTransaction {
  readonly origin: TransactionOrigin;
  readonly raw: Uint8Array;
}

/** Writes what waits, one transaction per line; whoever reads the file sees all of it or none. */
export async function writeSavedPool(
  path: string,
  pooled: Iterable<PooledTransaction>,
): Promise<void> {
  const lines = [...pooled].map(({ origin, transaction }) => {
    const form = Buffer.from(encodeRlp(transactionToRlp(transaction))).toString("base64");
    return `${origin === "local" ? "l" : "r"}${form}\n`;
  });
  const temporary = `${path}.tmp`;
  await writeFile(temporary, lines.join(""));
  await rename(temporary, path);
}

/** Gives the transactions of such a file to the pool and removes it; a line that cannot be read stops that. */
export async function restoreSavedPool(
  path: string,
  pool: Pick<Pool, "submit">,
  log: Pick<Logger, "info">,
): Promise<void> {
  const saved = await readSavedPool(path);
  let taken = 0;
  for (const { raw, origin } of saved) {
    try {
      await pool.submit(raw, { origin });
      taken += 1;
    } catch (error) {
      if (!(error instanceof RejectedTransaction)) throw error;
    }
  }
  if (saved.length > 0) log.info(`${taken} of ${saved.length} transactions of ${path} wait now`);
  await rm(path, { force: true });
}

/** Reads such a file; nothing when there is none. */
async function readSavedPool(path: string): Promise<readonly SavedTransaction[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw unreadable(path, error);
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, index) => readLine(path, line, index + 1));
}

function readLine(path: string, line: string, number: number): SavedTransaction {
  const [mark] = line;
  try {
    if (mark !== "l" && mark !== "r") throw new Error("it begins with neither l nor r");
    const item = decodeRlp(Buffer.from(line.slice(1).trim(), "base64"));
    const { raw } = transactionFromRlp(item);
    return { origin: mark === "l" ? "local" : "remote", raw };
  } catch (error) {
    throw unreadable(`${path}, line ${number}`, error);
  }
}

function unreadable(what: string, cause: unknown): ConfigError {
  return new ConfigError("POOL_FILE_INVALID", {
    message: `tx-pool-save-file: ${what} cannot be read: ${messageOf(cause)}`,
    option: "tx-pool-save-file",
    cause,
  });
}
