import type { PluginNode } from "@plinth/core";
import { FORMAT } from "./database-format.js";
import { checkDiskSpace, type DiskSpace, readDiskSpace } from "./disk-space.js";
import { createLevelStorageDriver, type LevelSettings } from "./level-driver.js";
import { TableCheck } from "./table-check.js";

// biome-ignore lint/complexity/noBannedTypes: no options and no dependencies are the empty object
type Registering = Omit<PluginNode<{}, {}>, "config">;

/** Registers the driver, and checks in the background what a start did not read. */
export function registerLevel(
  { storage, health, log, metrics, onStart }: Registering,
  settings: Pick<LevelSettings, "maxOpenFiles" | "checksValues" | "maxTableBytes">,
): void {
  const check = new TableCheck();
  storage.driver(
    createLevelStorageDriver({
      ...settings,
      onConverted: (values) =>
        log.info(`converting the database to format ${FORMAT}: ${values} values so far`),
      onSkipped: (path) => check.add(path),
    }),
  );
  health.check("tables", () => check.health());
  health.check("disk", ({ dataPath }) => checkDiskSpace(dataPath));
  let space: (() => DiskSpace) | undefined;
  metrics.gauge({
    name: "disk_free_bytes",
    help: "Free space on the disk of the data folder.",
    collect: () => space?.().free ?? [],
  });
  metrics.gauge({
    name: "disk_total_bytes",
    help: "Size of that disk.",
    collect: () => space?.().total ?? [],
  });
  onStart(({ tasks, clock, dataPath }) => {
    space = () => readDiskSpace(dataPath);
    tasks.run("table check", (signal) => check.run({ clock, log }, signal));
  });
}
