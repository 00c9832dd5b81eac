import type { RunningNode } from "./program.js";

/** Where `net_services` says that metrics are. */
export async function metricsUrlOf(node: RunningNode): Promise<string> {
  const services = (await node.rpc("net_services")) as Record<
    string,
    { host: string; port: string }
  >;
  return `http://${services.metrics?.host}:${services.metrics?.port}/metrics`;
}
