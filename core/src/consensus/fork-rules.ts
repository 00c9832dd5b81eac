import type { Header } from "../blocks/header.js";
import type { Fork } from "../evm/fork.js";

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
