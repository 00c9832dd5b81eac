import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./program.js";

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

/** The panels of the dashboard for operators. */
export function readPanels(): readonly Panel[] {
  const text = readFileSync(join(ROOT, "docs/operators/grafana-dashboard.json"), "utf8");
  return JSON.parse(text).panels;
}

/** Names of metrics in the queries of panels: words before a selector. */
export function metricsIn(panels: readonly Panel[]): readonly string[] {
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const names = queries.flatMap((query) => query.match(/\w+(?=\{)/g) ?? []);
  return [...new Set(names)].sort();
}
