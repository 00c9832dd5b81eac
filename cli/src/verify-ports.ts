import { ConfigError } from "@plinth/core";
import type { Configuration } from "@plinth/core/kernel";

/** Listeners: the option that enables each, and the one with its port. */
const LISTENERS = [
  ["rpcHttpEnabled", "rpcHttpPort"],
  ["rpcWsEnabled", "rpcWsPort"],
  ["graphqlHttpEnabled", "graphqlHttpPort"],
  ["metricsEnabled", "metricsPort"],
  ["snapshotServeEnabled", "snapshotServePort"],
  ["p2pEnabled", "p2pPort"],
] as const;

/** Throws if two enabled listeners have the same port; 0 picks a free one for each. */
export function verifyPorts(config: Configuration): void {
  const ports = LISTENERS.filter(([enabled]) => config.get(enabled) === true)
    .filter(([enabled]) => enabled !== "rpcWsEnabled" || config.get("rpcWsOnHttpPort") !== true)
    .map(([, port]) => config.get(port))
    .filter((port) => port !== 0);
  const twice = ports.find((port, index) => ports.indexOf(port) < index);
  if (twice === undefined) return;
  throw new ConfigError("OPTION_INVALID", {
    message: `Port number '${twice}' has been specified multiple times. Please review the supplied configuration.`,
    value: twice,
  });
}
