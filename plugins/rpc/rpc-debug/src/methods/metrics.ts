import { type Call, method, t } from "@plinth/core";
import { metricsObject } from "../metrics-object.js";

/** `debug_metrics`: the node's metrics. */
export const metrics = method({
  summary: "Returns the node's metrics by category, name and labels.",
  params: {},
  result: t.json,
  example: { params: [], result: { rpc: { requests_total: { eth_chainId: 3 } } } },
  handle: (_, call: Call) => metricsObject(call.metrics.collect()),
});
