import type { PluginMetrics } from "@plinth/core";
import type { PrivacyNode } from "./privacy-node.js";

/** Declares what is measured of private transactions; `find` gives those of the node while they are enabled. */
export function declareMetrics(metrics: PluginMetrics, find: () => PrivacyNode | undefined): void {
  metrics.gauge({
    name: "transactions_waiting",
    help: "Private transactions that are to run, of all groups.",
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
    help: "Members of groups whose private states differed from ours when they were compared last.",
    collect: () => {
      const members = find()?.verification.last?.groups.flatMap((group) => group.members);
      return members?.filter(({ state }) => state === "different").length ?? [];
    },
  });
  metrics.gauge({
    name: "payloads_lost",
    help: "Private transactions that were sent to this node and that its manager does not have.",
    collect: () => find()?.verification.last?.lost.length ?? [],
  });
  metrics.gauge({
    name: "groups_unknown",
    help: "Groups that payloads were sent for and that the manager does not know.",
    collect: () => find()?.late.unknownGroups.length ?? [],
  });
  metrics.gauge({
    name: "verified_seconds",
    help: "When the private states were compared last, in seconds since 1970.",
    collect: () => {
      const { last } = find()?.verification ?? {};
      return last === undefined ? [] : Math.round(last.at / 1000);
    },
  });
}
