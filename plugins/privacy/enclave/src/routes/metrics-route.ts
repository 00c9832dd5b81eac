import type { MetricFamily } from "@plinth/core/kernel";
import { CONTENT_TYPE, formatMetrics } from "@plinth/plugin-metrics-prometheus/api";
import type { Route } from "../http/http-service.js";

/** Prometheus metrics of a manager that runs as a separate process. */
export function metricsRoute(collect: () => readonly MetricFamily[]): Route {
  return {
    method: "GET",
    path: "/metrics",
    maxBytes: 0,
    handle: () => ({ status: 200, type: CONTENT_TYPE, body: formatMetrics(collect()) }),
  };
}
