import type { Counter, PluginMetrics } from "@plinth/core";
import type { ManagerFigures } from "./manager.js";

/** Declares the metrics of a manager; `read` returns its figures while it runs. */
export function declareMetrics(
  metrics: PluginMetrics,
  read: () => ManagerFigures | undefined,
): { readonly requests: Counter } {
  const collect = (name: keyof ManagerFigures) => () => read()?.[name] ?? [];
  metrics.counter({
    name: "payloads_sent",
    help: "Payloads sent by the node.",
    collect: collect("sent"),
  });
  metrics.counter({
    name: "payloads_accepted",
    help: "Payloads accepted from other managers.",
    collect: collect("accepted"),
  });
  metrics.gauge({
    name: "peers",
    help: "Other managers that have announced themselves.",
    collect: collect("peers"),
  });
  metrics.gauge({
    name: "undelivered",
    help: "Deliveries pending for a recipient, 10,000 at most; counted every 5 s.",
    collect: collect("undelivered"),
  });
  metrics.gauge({
    name: "groups",
    help: "Groups that have not been deleted; counted every 5 s.",
    collect: collect("groups"),
  });
  metrics.gauge({
    name: "unknown_groups",
    help: "Unknown groups named by payloads since the start, 100 at most.",
    collect: collect("unknownGroups"),
  });
  const requests = metrics.counter({
    name: "requests",
    help: "Requests served to the node and to other managers.",
    labels: ["path", "status"],
  });
  return { requests };
}
