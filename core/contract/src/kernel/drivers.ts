import type { ContributionPoint, Contributions } from "./contributions.js";
import { defineContributionPoint } from "./contributions.js";
import { ConfigError } from "./errors.js";

/** An implementation that is selected by name. */
export interface Driver {
  /** The name by which the operator selects it. */
  readonly name: string;
}

/** A contribution point from which an option selects one item. */
export interface DriverPoint<T extends Driver> extends ContributionPoint<T> {
  /** The option that selects it, as the operator writes it. */
  readonly option: string;
}

/** Declares a driver point and the option that selects from it. */
export function defineDriverPoint<T extends Driver>(
  id: string,
  { option, summary }: { readonly option: string; readonly summary: string },
): DriverPoint<T> {
  const key = { label: "driver", of: ({ name }: T) => name.toLowerCase() };
  return Object.freeze({ ...defineContributionPoint<T>(id, { summary, key }), option });
}

/** The driver with that name, case-insensitively; throws with the available names. */
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
