import { PlinthError, RpcError, StorageError } from "@plinth/core";

/** Awaits work on the chain; a failure becomes an error for the caller. */
export async function withRpcErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isExplained = error instanceof PlinthError && !(error instanceof StorageError);
    if (!isExplained || error instanceof RpcError) throw error;
    throw new RpcError(-32000, error.message);
  }
}
