import { ConfigError } from "@plinth/core";

/** A value that does not fit; the option is named as it is typed. */
export function invalidOption(option: string, problem: string): ConfigError {
  return new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--${option}': ${problem}`,
    option,
  });
}

/** Something that a command cannot do without. */
export function missingOption(usage: string, hint = ""): ConfigError {
  return new ConfigError("OPTION_MISSING", {
    message: `Missing required option: '${usage}'${hint}`,
  });
}
