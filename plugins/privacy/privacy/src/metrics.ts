import type { PluginMetrics } from "@plinth/core";
import type { PrivacyNode } from "./privacy-node.js";

/**
 * Declares the metrics of private transactions; `find` returns the privacy service while it is
 * enabled.
 */
export function declareMetrics(metrics: PluginMetrics, find: () => PrivacyNode | undefined): void {
  metrics.gauge({
    name: "transactions_waiting",
    help: "Pending private transactions of all groups.",
    collect: () => {
      const groups = find()?.executor.status().groups;
      return groups?.reduce((sum, { pending }) => sum + pending, 0) ?? [];
    },
  });
  metrics.gauge({
    name: "delivered_block",
    help: "The last block whose private transactions were fetched from the manager.",
    collect: () => {
      const delivered = find()?.executor.status().delivered;
      return delivered === undefined ? [] : Number(delivered);
    },
  });
  metrics.gauge({
    name: "members_different",
    help: "Members of groups whose private states differed from this node's at the last comparison.",
    collect: () => {
      const members = find()?.verification.last?.groups.flatMap((group) => group.members);
      return members?.filter(({ state }) => state === "different").length ?? [];
    },
  });
  metrics.gauge({
    name: "payloads_lost",
    help: "Private transactions that were sent to this node and are missing at its manager.",
    collect: () => find()?.verification.last?.lost.length ?? [],
  });
  metrics.gauge({
    name: "groups_unknown",
    help: "Groups with payloads that are unknown to the manager.",
    collect: () => find()?.late.unknownGroups.length ?? [],
  });
  metrics.gauge({
    name: "verified_seconds",
    help: "Time of the last comparison of private states, in seconds since 1970.",
    collect: () => {
      const { last } = find()?.verification ?? {};
      return last === undefined ? [] : Math.round(last.at / 1000);
    },
  });
}
