import { definePlugin, type Runtime } from "@plinth/core";
import { CATEGORIES, readCategories } from "./categories.js";
import { countBlocks, measureChain, type Reader } from "./chain-metrics.js";
import { options } from "./options.js";
import { countTransactions, measurePool } from "./pool-metrics.js";
import { measureMemory, measureProcess, watchCollector } from "./process-metrics.js";
import { pushMetrics } from "./push.js";
import { measureCalls } from "./rpc-metrics.js";
import { serveMetrics } from "./serve.js";
import { verifyExportMode } from "./verify-export-mode.js";

export default definePlugin({
  name: "metrics-prometheus",
  // `debug_metrics` shows what it measures.
  activation: { namespaces: ["debug"] },
  options,
  setup(node) {
    const { config, metrics, hooks } = node;
    verifyExportMode(config);
    const isAsked = config.metricsEnabled || config.metricsPushEnabled;
    const isExporting = isAsked && config.metricsProtocol !== "NONE";

    let running: Runtime | undefined;
    node.onStart((runtime) => {
      running = runtime;
    });
    // Besu measures nothing that it does not export.
    const isMeasuring = (runtime: Runtime) => isExporting || runtime.compatibility.mode !== "besu";
    const reader: Reader = (read) => () =>
      running !== undefined && isMeasuring(running) ? read(running) : [];
    measureChain(metrics, reader);
    measurePool(metrics, reader);
    measureProcess(metrics, reader);
    measureMemory(metrics, reader);
    measureCalls(metrics, hooks, () => running !== undefined && isMeasuring(running));
    if (!isExporting) return;

    // These cost something with every block and transaction.
    countBlocks(metrics, hooks);
    countTransactions(metrics, hooks);
    node.onStop(watchCollector(metrics));
    const exported = {
      categories: readCategories(config.metricsCategory, (name) =>
        node.log.warn(
          `--metrics-category: unknown category ${name}; known ones are ${CATEGORIES.join(", ")}`,
        ),
      ),
      withBesuNames: config.metricsBesuNames,
    };
    if (config.metricsEnabled) serveMetrics(node, config, exported);
    else pushMetrics(node, config, exported);
  },
});
