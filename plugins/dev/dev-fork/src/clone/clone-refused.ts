import { ConfigError } from "@plinth/core";

/** The state cannot be cloned from this node, or with these options. */
export class CloneRefused extends ConfigError {
  constructor(message: string, cause?: unknown) {
    super("FORK_REFUSED", { message, option: "fork-url", cause });
  }
}
