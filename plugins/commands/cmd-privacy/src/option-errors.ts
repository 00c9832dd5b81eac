import { ConfigError } from "@plinth/core";

/** The error for an invalid value; the option is named as it is typed. */
export function invalidOption(option: string, problem: string): ConfigError {
  return new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--${option}': ${problem}`,
    option,
  });
}

/** The error for a missing required option. */
export function missingOption(usage: string, hint = ""): ConfigError {
  return new ConfigError("OPTION_MISSING", {
    message: `Missing required option: '${usage}'${hint}`,
  });
}
