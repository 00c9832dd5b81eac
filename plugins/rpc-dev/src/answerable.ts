import { PlinthError, RpcError, StorageError } from "@plinth/core";

/** Waits for work on the chain; the caller is told why it cannot be done. */
export async function answerable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isExplained = error instanceof PlinthError && !(error instanceof StorageError);
    if (!isExplained || error instanceof RpcError) throw error;
    throw new RpcError(-32000, error.message);
  }
}
