import type { Blockchain } from "./blockchain.js";
import type { Genesis } from "./genesis.js";

/** The chain this node serves. */
export interface Chain {
  /** Of the genesis file; `undefined` when it names none. */
  readonly chainId: bigint | undefined;
  /** The genesis file as it stands. */
  readonly genesis: object;
  /** `undefined` when no EVM is loaded. */
  readonly blocks: Blockchain | undefined;
}

/** The chain of a genesis file. */
export function openChain({ chainId }: Genesis, genesis: object, blocks?: Blockchain): Chain {
  return Object.freeze({ chainId, genesis, blocks });
}
