import type { Options } from "@plinth/core";

/** Options that share a reason why they do nothing here. */
export interface OptionGroup {
  /** Follows the names of options in a message: `--x: <reason>`. */
  readonly reason: string;
  /** A default is what the node does anyway: a value equal to it asks for nothing. */
  readonly options: Options;
}
