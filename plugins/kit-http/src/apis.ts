import { ConfigError } from "@plinth/core";
import { DEFAULT_APIS } from "./options.js";

/** Throws when the operator named a namespace that no loaded plugin has; the default is never wrong. */
export function verifyApis(
  option: string,
  named: readonly string[],
  loaded: readonly string[],
): void {
  if (named.join() === DEFAULT_APIS.join()) return;
  const unknown = named.filter((name) => !loaded.includes(name.toLowerCase()));
  if (unknown.length === 0) return;
  const offers = loaded.map((name) => name.toUpperCase()).join(", ");
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--${option}': invalid entries found [${unknown.join(", ")}]; loaded plugins offer ${offers}`,
    option,
  });
}
