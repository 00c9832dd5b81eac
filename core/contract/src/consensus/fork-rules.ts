import type { Header } from "../blocks/header.js";
import type { Fork } from "../evm/fork.js";

/** Where a block stands in the schedule. */
export interface ForkPoint {
  readonly number: bigint;
  readonly timestamp: bigint;
  /** Zero after the merge. */
  readonly difficulty?: bigint;
}

/** Which rule set holds at which block. */
export interface ForkRules {
  /** The forks that the genesis file names, in the order of the rule sets. */
  readonly activations: readonly {
    readonly fork: Fork;
    readonly by: "block" | "time";
    readonly value: bigint;
  }[];
  at(point: Pick<Header, "number" | "timestamp">): Fork;
  isActive(fork: Fork, point: Pick<Header, "number" | "timestamp">): boolean;
}
