import type { ContributionPoint, Contributions } from "./contributions.js";
import { defineContributionPoint } from "./contributions.js";
import { ConfigError } from "./errors.js";

/** Something of which exactly one is chosen by name. */
export interface Driver {
  /** The name the operator chooses it by. */
  readonly name: string;
}

/** A contribution point of which an option picks one. */
export interface DriverPoint<T extends Driver> extends ContributionPoint<T> {
  /** The option that picks, as the operator writes it. */
  readonly option: string;
}

/** Declares a driver point and the option that picks from it. */
export function defineDriverPoint<T extends Driver>(
  id: string,
  { option, summary }: { readonly option: string; readonly summary: string },
): DriverPoint<T> {
  const key = { label: "driver", of: ({ name }: T) => name.toLowerCase() };
  return Object.freeze({ ...defineContributionPoint<T>(id, { summary, key }), option });
}

/** The driver of that name, in any letter case; throws with the names there are. */
export function chooseDriver<T extends Driver>(
  contributions: Contributions,
  point: DriverPoint<T>,
  name: string,
): { readonly plugin: string; readonly driver: T } {
  const entries = contributions.entries(point);
  const chosen = entries.find(({ item }) => item.name.toLowerCase() === name.toLowerCase());
  if (chosen !== undefined) return { plugin: chosen.plugin, driver: chosen.item };
  const known = entries.map(({ item }) => item.name).join(", ");
  throw new ConfigError("DRIVER_UNKNOWN", {
    message: `Invalid value for option '--${point.option}': no loaded plugin offers '${name}'; ${known === "" ? "none offers any" : `they offer ${known}`}`,
    option: point.option,
    value: name,
  });
}
