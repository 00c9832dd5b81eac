import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf, type PluginNode, unavailable } from "@plinth/core";
import { checkForecast } from "./check-forecast.js";
import { DiskMonitor } from "./disk-monitor.js";
import { DATABASE } from "./measure-disk.js";
import { diskUsage } from "./service.js";

// biome-ignore lint/complexity/noBannedTypes: no options and no dependencies are the empty object
type Registering = PluginNode<{}, {}>;

/** Measures the data folder while the node runs, for others, health and metrics. */
export function registerDiskUsage(node: Registering): void {
  const samples = node.storage.table("samples");
  let monitor: DiskMonitor | undefined;
  node.services.provide(diskUsage, (runtime) => {
    if (!existsSync(join(runtime.dataPath, DATABASE))) {
      return unavailable("the data of this node is in memory");
    }
    monitor = new DiskMonitor({ ...runtime, blocks: runtime.chain.blocks }, samples);
    return monitor;
  });
  node.hooks.chain.headChanged.tap((change) => monitor?.count(change));
  node.health.check("forecast", () => checkForecast(monitor?.latest()));
  node.metrics.gauge({
    name: "group_bytes",
    help: "Space that a part of the data takes on the disk, measured at least every hour.",
    labels: ["group"],
    collect: () =>
      (monitor?.latest()?.groups ?? []).map(({ group, bytes }) => {
        return { labels: { group }, value: bytes };
      }),
  });
  node.metrics.gauge({
    name: "growth_bytes_per_day",
    help: "Growth of the data per day of blocks; missing until a day was measured.",
    collect: () => monitor?.latest()?.growth?.bytesPerDay ?? [],
  });
  node.onStart(({ tasks, log }) => {
    const started = monitor;
    if (started === undefined) return;
    const failed = (error: unknown) =>
      log.warn(`the data folder was not measured, and will be in an hour: ${messageOf(error)}`);
    log.debug("measuring the data folder every hour");
    tasks.run("disk usage", (signal) => started.run(signal, failed));
  });
}
