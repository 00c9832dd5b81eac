import { readFile, rm } from "node:fs/promises";
import {
  ConfigError,
  decodeRlp,
  encodeRlp,
  type Logger,
  messageOf,
  type Pool,
  type PoolEntry,
  RejectedTransaction,
} from "@plinth/core";
import { transactionFromRlp, transactionToRlp } from "@plinth/core/blocks";
import type { TransactionOrigin } from "@plinth/core/pool";
import { replaceFile } from "@plinth/core/storage";

/** A line of a saved pool. */
interface SavedTransaction {
  readonly origin: TransactionOrigin;
  readonly raw: Uint8Array;
}

/** Writes the transactions of a pool, one per line; the file is replaced atomically. */
export async function savePool(
  path: string,
  entries: readonly Pick<PoolEntry, "transaction" | "origin">[],
): Promise<void> {
  const lines = entries.map(({ origin, transaction }) => {
    const form = Buffer.from(encodeRlp(transactionToRlp(transaction))).toString("base64");
    return `${origin === "local" ? "l" : "r"}${form}\n`;
  });
  await replaceFile(path, lines.join(""), { isSynced: false });
}

/**
 * Submits the transactions of such a file to the pool and deletes it; throws at an invalid line.
 */
export async function restorePool(
  path: string,
  pool: Pick<Pool, "submit">,
  log: Pick<Logger, "info" | "debug">,
): Promise<void> {
  const saved = await readSavedPool(path);
  let accepted = 0;
  for (const { raw, origin } of saved) {
    try {
      await pool.submit(raw, { origin });
      accepted += 1;
    } catch (error) {
      if (!(error instanceof RejectedTransaction)) throw error;
      log.debug(`a transaction of ${path} was not restored: ${error.message}`);
    }
  }
  if (saved.length > 0) log.info(`restored ${accepted} of ${saved.length} transactions of ${path}`);
  await rm(path, { force: true });
}

/** Reads such a file; empty if it does not exist. */
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
    if (mark !== "l" && mark !== "r") throw new Error("it starts with neither l nor r");
    const item = decodeRlp(Buffer.from(line.slice(1).trim(), "base64"));
    const { raw } = transactionFromRlp(item);
    return { origin: mark === "l" ? "local" : "remote", raw };
  } catch (error) {
    throw unreadable(`${path}, line ${number}`, error);
  }
}

function unreadable(what: string, cause: unknown): ConfigError {
  return new ConfigError("POOL_FILE_INVALID", {
    message: `tx-pool-save-file: cannot read ${what}: ${messageOf(cause)}`,
    option: "tx-pool-save-file",
    cause,
  });
}
