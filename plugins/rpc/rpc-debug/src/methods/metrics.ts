import { type Call, method, t } from "@plinth/core";
import { metricsObject } from "../metrics-object.js";

/** `debug_metrics`: what the node counts and measures. */
export const metrics = method({
  summary: "Returns the node's metrics by part, name and labels.",
  params: {},
  result: t.json,
  example: { params: [], result: { rpc: { requests_total: { eth_chainId: 3 } } } },
  handle: (_, call: Call) => metricsObject(call.metrics.collect()),
});
