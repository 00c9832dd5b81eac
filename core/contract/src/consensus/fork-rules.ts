import type { Header } from "../blocks/header.js";
import type { Fork } from "../evm/fork.js";

/** The position of a block in the fork schedule. */
export interface ForkPoint {
  readonly number: bigint;
  readonly timestamp: bigint;
  /** Zero after the merge. */
  readonly difficulty?: bigint;
}

/** Which rule set applies to which block. */
export interface ForkRules {
  /** The forks in the genesis file, in the order of the rule sets. */
  readonly activations: readonly {
    readonly fork: Fork;
    readonly by: "block" | "time";
    readonly value: bigint;
  }[];
  at(point: Pick<Header, "number" | "timestamp">): Fork;
  isActive(fork: Fork, point: Pick<Header, "number" | "timestamp">): boolean;
}
