import { ConfigError } from "@plinth/core";

/** Throws if both serving and pushing metrics are enabled. */
export function verifyExportMode(config: {
  readonly metricsEnabled: boolean;
  readonly metricsPushEnabled: boolean;
}): void {
  if (!config.metricsEnabled || !config.metricsPushEnabled) return;
  throw new ConfigError("METRICS_BOTH_WAYS", {
    message:
      "--metrics-enabled option and --metrics-push-enabled option can't be used at the same time. Choose one of them.",
  });
}
