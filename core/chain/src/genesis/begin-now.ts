import type { ChainStore } from "../store/chain-store.js";

/**
 * A genesis file with the timestamp of the chain's block 0, or the current time if there is no
 * block yet.
 */
export function beginNow(
  genesis: object,
  { chain, nowMs }: { readonly chain: ChainStore; readonly nowMs: number },
): object {
  const timestamp = chain.findFirst()?.timestamp ?? BigInt(Math.floor(nowMs / 1000));
  return { ...genesis, timestamp: `0x${timestamp.toString(16)}` };
}
