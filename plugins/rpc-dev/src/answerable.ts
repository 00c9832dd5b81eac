import { InvalidBlock, RpcError } from "@plinth/core";

/** Waits for a block; the caller is told why there can be none. */
export async function answerable<T>(block: Promise<T>): Promise<T> {
  try {
    return await block;
  } catch (error) {
    if (error instanceof InvalidBlock) throw new RpcError(-32000, error.message);
    throw error;
  }
}
