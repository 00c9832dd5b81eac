import { ConfigError } from "@plinth/core";
import type { WildcardList } from "./wildcard-list.js";

/** Parses a list of origins: entries are regular expressions for the whole origin. */
export function readOrigins(origins: WildcardList, option: string): (origin: string) => boolean {
  if (origins === "any") return () => true;
  const patterns = origins.map((entry) => {
    try {
      return new RegExp(`^(?:${entry})$`, "i");
    } catch (cause) {
      throw new ConfigError("OPTION_INVALID", {
        message: `Invalid value for option '--${option}': '${entry}' is not a regular expression`,
        option,
        cause,
      });
    }
  });
  return (origin) => patterns.some((pattern) => pattern.test(origin));
}
