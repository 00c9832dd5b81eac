import { ConfigError, type Logger } from "@plinth/core";
import { DEFAULT_APIS } from "./options.js";

/** Namespaces of Besu that command lines name, and why no plugin has them; a row goes when a plugin comes. */
const NOT_BUILT: Readonly<Record<string, string>> = {
  EEA: "private transactions are not built yet",
  PRIV: "private transactions are not built yet",
  ENGINE: "the engine API has a port of its own, and is not built yet",
};

/**
 * Throws when the operator named a namespace that no loaded plugin has; the default is never wrong.
 *
 * Besu starts with the namespaces of parts that are off, so those of parts that are not built get a warning.
 */
export function verifyApis(
  option: string,
  { named, loaded }: { readonly named: readonly string[]; readonly loaded: readonly string[] },
  log: Pick<Logger, "warn">,
): void {
  if (named.join() === DEFAULT_APIS.join()) return;
  const missing = named.filter((name) => !loaded.includes(name.toLowerCase()));
  const unknown = missing.filter((name) => NOT_BUILT[name.toUpperCase()] === undefined);
  if (unknown.length > 0) {
    const offers = loaded.map((name) => name.toUpperCase()).join(", ");
    throw new ConfigError("OPTION_INVALID", {
      message: `Invalid value for option '--${option}': invalid entries found [${unknown.join(", ")}]; loaded plugins offer ${offers}`,
      option,
    });
  }
  for (const name of missing) {
    log.warn(`--${option}: ${name} is not offered: ${NOT_BUILT[name.toUpperCase()]}`);
  }
}
