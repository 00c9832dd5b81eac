import type { Genesis } from "./genesis.js";

/** The chain this node serves. */
export interface Chain {
  /** Of the genesis file; `undefined` when it names none. */
  readonly chainId: bigint | undefined;
}

/** The chain of a genesis file. */
export function openChain({ chainId }: Genesis): Chain {
  return Object.freeze({ chainId });
}
