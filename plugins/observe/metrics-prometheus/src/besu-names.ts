import type { MetricFamily } from "@plinth/core/kernel";
import { categoryOf } from "./categories.js";

/** Categories whose metric names start with the category itself. */
const BARE = ["ethereum", "jvm", "process"];

/** Metrics of plugins that dashboards expect in a category. */
const RENAMED: Readonly<Record<string, string>> = {
  plinth_transport_http_connections: "besu_rpc_active_http_connection_count",
  plinth_transport_ws_connections: "besu_rpc_active_ws_connection_count",
};

/** The name of a metric in dashboards for Besu; `undefined` if they have none. */
export function findBesuName(family: Pick<MetricFamily, "plugin" | "name">): string | undefined {
  const { plugin, name } = family;
  if (categoryOf(family) === "PLINTH") return RENAMED[name];
  const known = name
    .replace(/^plinth_/, "")
    .replace(/(_count|_counter|_inbound|_outbound)_total$/, "$1");
  return BARE.includes(plugin) ? known : `besu_${known}`;
}
