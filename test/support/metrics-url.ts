import type { RunningNode } from "./program.js";

/** The metrics address reported by `net_services`. */
export async function metricsUrlOf(node: RunningNode): Promise<string> {
  const services = (await node.rpc("net_services")) as Record<
    string,
    { host: string; port: string }
  >;
  return `http://${services.metrics?.host}:${services.metrics?.port}/metrics`;
}
