import type { Counter, PluginMetrics } from "@plinth/core";
import type { ManagerFigures } from "./manager.js";

/** Declares the metrics of a manager; `read` is asked for its figures while it runs. */
export function declareMetrics(
  metrics: PluginMetrics,
  read: () => ManagerFigures | undefined,
): { readonly requests: Counter } {
  const collect = (name: keyof ManagerFigures) => () => read()?.[name] ?? [];
  metrics.counter({
    name: "payloads_sent",
    help: "Payloads that the node has sent.",
    collect: collect("sent"),
  });
  metrics.counter({
    name: "payloads_accepted",
    help: "Payloads that were taken from other managers.",
    collect: collect("accepted"),
  });
  metrics.gauge({
    name: "peers",
    help: "Other managers that have announced themselves.",
    collect: collect("peers"),
  });
  metrics.gauge({
    name: "undelivered",
    help: "Deliveries that wait for a recipient, 10,000 at most; counted every 5 s.",
    collect: collect("undelivered"),
  });
  metrics.gauge({
    name: "groups",
    help: "Groups that have not been deleted; counted every 5 s.",
    collect: collect("groups"),
  });
  metrics.gauge({
    name: "unknown_groups",
    help: "Groups that payloads have named since the start and that are not known, 100 at most.",
    collect: collect("unknownGroups"),
  });
  const requests = metrics.counter({
    name: "requests",
    help: "Answered requests of the node and of other managers.",
    labels: ["path", "status"],
  });
  return { requests };
}
