import type { Runtime } from "@plinth/core";
import type { MetricFamily } from "@plinth/core/kernel";
import { findBesuName } from "./besu-names.js";
import { type Category, categoryOf } from "./categories.js";
import { formatMetrics } from "./exposition.js";

/** What is exported, and under which names. */
export interface ExportSettings {
  /** All if the list is empty. */
  readonly categories: readonly Category[];
  readonly withBesuNames: boolean;
}

/** The metrics of a node as text; only those with the given names if there are any. */
export function exportMetrics(
  { metrics }: Pick<Runtime, "metrics">,
  { categories, withBesuNames }: ExportSettings,
  names: readonly string[] = [],
): string {
  const chosen = metrics.collect().filter((family) => categories.includes(categoryOf(family)));
  const families = withBesuNames ? chosen.flatMap(underBothNames) : chosen;
  return formatMetrics(families.filter((family) => isAsked(family, names)));
}

function underBothNames(family: MetricFamily): readonly MetricFamily[] {
  const name = findBesuName(family);
  return name === undefined ? [family] : [{ ...family, name }, family];
}

/** The series of a distribution have separate names. */
function isAsked({ name, type }: MetricFamily, names: readonly string[]): boolean {
  if (names.length === 0 || names.includes(name)) return true;
  const series = ["bucket", "sum", "count"].map((part) => `${name}_${part}`);
  return type === "histogram" && series.some((asked) => names.includes(asked));
}
