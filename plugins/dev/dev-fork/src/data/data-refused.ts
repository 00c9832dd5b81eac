import { ConfigError } from "@plinth/core";

/** A data folder cannot be forked, or not into this folder. */
export class DataRefused extends ConfigError {
  constructor(message: string, cause?: unknown) {
    super("FORK_REFUSED", { message: `--fork-data: ${message}`, option: "fork-data", cause });
  }
}
