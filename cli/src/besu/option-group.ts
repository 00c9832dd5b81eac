import type { Options } from "@plinth/core";

/** Options that share a reason why they have no effect here. */
export interface OptionGroup {
  /** Follows the names of options in a message: `--x: <reason>`. */
  readonly reason: string;
  /** The default is the behavior of the node: a value equal to it has no effect. */
  readonly options: Options;
}
