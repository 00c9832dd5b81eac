import { once } from "node:events";
import { join } from "node:path";
import { ConfigError, command, option, systemClock } from "@plinth/core";
import { createLogs, MetricsRegistry } from "@plinth/core/kernel";
import { storageDrivers } from "@plinth/core/storage";
import { declareMetrics } from "../metrics.js";
import type { OpenEnclave } from "../open/open-enclave.js";
import { readSettings } from "../open/read-settings.js";

/** `enclave`: runs a manager as a separate process until it is stopped. */
export const run = command({
  id: "enclave",
  summary: "Runs a private transaction manager that nodes and other managers reach over HTTP.",
  examples: ["plinth enclave --config-file=enclave.toml"],
  flags: {
    configFile: option.path({ summary: "Configuration file of the manager, TOML or JSON." }),
    logging: option.oneOf(["error", "warn", "info", "debug"], {
      summary: "Log level.",
      default: "info",
    }),
  },
  uses: { points: [storageDrivers] },
  async run({ flags: { configFile, logging }, io, driver, signal }) {
    if (configFile === undefined) {
      throw new ConfigError("OPTION_MISSING", {
        message: "Missing required option '--config-file=<PATH>'",
        option: "config-file",
      });
    }
    // Loading the encryption takes long; other commands and nodes do not need it.
    const { openEnclave } = await import("../open/open-enclave.js");
    const { metricsRoute } = await import("../routes/metrics-route.js");
    const settings = await readSettings(configFile);
    const store = await driver(storageDrivers).open({ folder: join(settings.dataPath, "enclave") });
    try {
      const write = (text: string) => void io.write(text.trimEnd());
      const logs = createLogs({ level: logging, format: "console", color: false, write });
      const log = logs.for("enclave");
      let enclave: OpenEnclave | undefined;
      const registry = new MetricsRegistry();
      const { requests } = declareMetrics(registry.for("enclave"), () =>
        enclave?.manager.figures(),
      );
      enclave = await openEnclave(settings, {
        store,
        clock: systemClock,
        log,
        answered: (path, status) => requests.increment(1, { path, status: String(status) }),
        moreRoutes: [metricsRoute(() => registry.collect())],
      });
      await io.write(`Public keys: ${enclave.publicKeys.join(", ")}`);
      await io.write(
        `Serving the node on ${settings.nodeHost}:${enclave.nodePort} and other managers on ${settings.peerHost}:${enclave.peerPort}`,
      );
      if (!signal.aborted) await once(signal, "abort");
      await enclave.close();
    } finally {
      await store.close();
    }
  },
});
