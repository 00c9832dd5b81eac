import { ConfigError } from "../kernel/errors.js";

/** The error for an unusable genesis file. */
export function genesisError(origin: string, detail: string, cause?: unknown): ConfigError {
  const message = `Unable to load genesis file. ${origin}: ${detail}`;
  return new ConfigError("GENESIS_INVALID", { message, cause });
}
