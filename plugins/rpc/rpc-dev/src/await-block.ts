import { type Hash, RpcError } from "@plinth/core";
import type { Dev } from "./dev.js";

/**
 * Waits for the block of a transaction.
 *
 * One that the node could not run, as a fork could not read a value, leaves the pool, so that the next one of its sender
 * does not wait for it; throws the reason.
 */
export async function awaitBlock(
  { dev, pool }: Pick<Dev, "dev" | "pool">,
  hash: Hash,
): Promise<void> {
  await dev.settled(hash);
  // Only one in the pool can be set aside.
  if (pool.find(hash) === undefined) return;
  const { state, message } = pool.explain(hash);
  if (state !== "set-aside") return;
  await pool.remove(hash);
  throw new RpcError(-32000, message);
}
