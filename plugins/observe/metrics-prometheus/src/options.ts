import { option, optionKinds } from "@plinth/core";
import { hostAllowlist } from "@plinth/kit-http";
import { CATEGORIES } from "./categories.js";

/** The longest delay of a Node timer. */
const MAX_SECONDS = 2_147_483;

/** Options of the exporter. */
export const options = {
  metricsEnabled: option.flag({ summary: "Serves metrics over HTTP, under /metrics." }),
  metricsProtocol: option.oneOf(["PROMETHEUS", "OPENTELEMETRY", "NONE"], {
    summary:
      "The format of metrics; NONE exports nothing, and OPENTELEMETRY is that of PROMETHEUS.",
    default: "PROMETHEUS",
    noEffect: (protocol) =>
      protocol === "OPENTELEMETRY"
        ? "metrics are served in the PROMETHEUS format, which an OpenTelemetry collector reads"
        : undefined,
  }),
  metricsHost: option.host({
    summary: "Address to serve metrics on.",
    default: "127.0.0.1",
    needs: "metricsEnabled",
  }),
  metricsPort: option.port({
    summary: "Port to serve metrics on; 0 picks a free one.",
    default: 9545,
    needs: "metricsEnabled",
  }),
  metricsCategory: option.list({
    summary: `Categories to export, of ${CATEGORIES.join(", ")}; all by default.`,
    of: optionKinds.text(),
    aliases: ["metricsCategories"],
  }),
  metricsBesuNames: option.boolean({
    summary: "Also exports metrics under the names of Besu.",
    default: true,
  }),
  metricsPushEnabled: option.flag({ summary: "Sends metrics to a push gateway." }),
  metricsPushHost: option.host({
    summary: "Address of the push gateway.",
    default: "127.0.0.1",
    needs: "metricsPushEnabled",
  }),
  metricsPushPort: option.port({
    summary: "Port of the push gateway.",
    default: 9001,
    needs: "metricsPushEnabled",
  }),
  metricsPushInterval: option.integer({
    summary: "Seconds between two pushes; the first comes after half of it.",
    default: 15,
    min: 1,
    max: MAX_SECONDS,
    needs: "metricsPushEnabled",
  }),
  metricsPushPrometheusJob: option.text({
    summary: "The job name of pushed metrics.",
    default: "plinth-client",
    needs: "metricsPushEnabled",
  }),
  hostAllowlist,
};
