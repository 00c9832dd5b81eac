import { ConfigError } from "@plinth/core";

/** A list in which one word can stand for everything or for nothing. */
export type WildcardList = "any" | readonly string[];

/** Parses `*` and `all` as anything and `none` as nothing; neither may be combined with others. */
export function readWildcardList(option: string, entries: readonly string[]): WildcardList {
  const words = entries.map((entry) => entry.toLowerCase());
  const special = words.find((word) => word === "*" || word === "all" || word === "none");
  if (special === undefined) return entries;
  if (entries.length > 1) {
    throw new ConfigError("OPTION_INVALID", {
      message: `Invalid value for option '--${option}': '${special}' cannot be combined with other entries`,
      option,
    });
  }
  return special === "none" ? [] : "any";
}
