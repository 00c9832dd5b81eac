import { ConfigError } from "@plinth/core";

/** Refuses to be fetched from and to push at the same time. */
export function verifyOneWay(config: {
  readonly metricsEnabled: boolean;
  readonly metricsPushEnabled: boolean;
}): void {
  if (!config.metricsEnabled || !config.metricsPushEnabled) return;
  throw new ConfigError("METRICS_BOTH_WAYS", {
    message:
      "--metrics-enabled option and --metrics-push-enabled option can't be used at the same time. Choose one of them.",
  });
}
