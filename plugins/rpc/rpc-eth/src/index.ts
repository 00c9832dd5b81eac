import { definePlugin } from "@plinth/core";
import { Arrivals } from "./arrivals.js";
import { callLimits } from "./call-limits.js";
import { createMethods } from "./create-methods.js";
import { readFeeSettings } from "./fees/fee-settings.js";
import { Filters } from "./filters/filters.js";
import { options } from "./options.js";
import { querySettings } from "./query-settings.js";
import { RevertReasons } from "./revert-reasons.js";

export default definePlugin({
  name: "rpc-eth",
  activation: {},
  options,
  provides: [callLimits, querySettings],
  setup({ rpc, config, hooks, metrics, onStart, services, storage }) {
    services.provide(callLimits, () => ({ gasCap: config.rpcGasCap }));
    services.provide(querySettings, () => ({
      gasCap: config.rpcGasCap,
      estimateTolerance: config.estimateGasToleranceRatio,
      maxLogsRange: config.rpcMaxLogsRange,
      fees: readFeeSettings(config),
    }));
    const evicted = metrics.counter({
      name: "filters_evicted",
      help: "Filters that were evicted because there were too many.",
    });
    const filters = new Filters(() => evicted.increment());
    metrics.gauge({ name: "filters", help: "Installed filters.", collect: () => filters.size });
    const arrivals = new Arrivals();
    const reasons = new RevertReasons(storage.table("revert-reasons"));
    if (config.revertReasonEnabled) hooks.chain.commit.tap((event) => reasons.commit(event));
    hooks.chain.headChanged.tap((change) => {
      filters.headChanged(change);
      arrivals.headChanged(change);
    });
    hooks.chain.imported.tap(({ block }) => filters.blockAdded(block.header.hash));
    hooks.pool.added.tap(({ transaction }) => filters.transactionAdded(transaction.hash));
    onStart(({ tasks, clock }) =>
      tasks.run("removal of expired filters", (signal) => filters.sweep(clock, signal)),
    );
    rpc.namespace("eth", createMethods(config, { filters, arrivals, reasons }));
  },
});
