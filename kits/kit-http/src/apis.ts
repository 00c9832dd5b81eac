import { ConfigError, type Logger } from "@plinth/core";
import { DEFAULT_APIS } from "./options.js";

/** Namespaces of Besu that command lines contain, and why they may be missing. */
const ABSENT: Readonly<Record<string, string>> = {
  EEA: "the plugins for private transactions are not loaded",
  PRIV: "the plugins for private transactions are not loaded",
  ENGINE: "the engine API is not implemented",
};

/**
 * Throws if the operator set a namespace that no loaded plugin has; the default is always valid.
 *
 * Besu starts with the namespaces of disabled parts, so those of missing parts get a warning.
 */
export function verifyApis(
  option: string,
  { named, loaded }: { readonly named: readonly string[]; readonly loaded: readonly string[] },
  log: Pick<Logger, "warn">,
): void {
  if (named.join() === DEFAULT_APIS.join()) return;
  const missing = named.filter((name) => !loaded.includes(name.toLowerCase()));
  const unknown = missing.filter((name) => ABSENT[name.toUpperCase()] === undefined);
  if (unknown.length > 0) {
    const offers = loaded.map((name) => name.toUpperCase()).join(", ");
    throw new ConfigError("OPTION_INVALID", {
      message: `Invalid value for option '--${option}': invalid entries found [${unknown.join(", ")}]; loaded plugins provide ${offers}`,
      option,
    });
  }
  for (const name of missing) {
    log.warn(`--${option}: ${name} is not available: ${ABSENT[name.toUpperCase()]}`);
  }
}
