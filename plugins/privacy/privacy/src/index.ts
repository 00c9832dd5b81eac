import { definePlugin } from "@plinth/core";
import { dependencies } from "./dependencies.js";
import { callQuery } from "./execution/call-query.js";
import { executeQuery } from "./execution/execute-query.js";
import { stepsQuery } from "./execution/steps-query.js";
import { traceQuery } from "./execution/trace-query.js";
import { healthOf } from "./health.js";
import { declareMetrics } from "./metrics.js";
import { PrivacyNode } from "./privacy-node.js";
import { privacy } from "./service.js";
import { options } from "./setup/options.js";
import { readMarkerKey, readPublicKey, verifyFreeGas } from "./setup/read-keys.js";
import { readRules } from "./setup/read-rules.js";
import { verifyOptions, verifyWholeChain } from "./setup/verify-options.js";

export default definePlugin({
  name: "privacy",
  activation: {},
  dependencies,
  provides: [privacy],
  options,
  setup(node) {
    const { config, hooks, storage, log } = node;
    // The search depends on the kind of groups: a node that switches it resumes where it was with
    // that kind.
    const kind = config.privacyFlexibleGroupsEnabled ? "flexible-" : "";
    const tables = {
      state: storage.table("state"),
      receipts: storage.table("receipts"),
      groups: storage.table("groups"),
      pending: storage.table(`${kind}pending`),
      progress: storage.table(`${kind}progress`),
      unresolved: storage.table(`${kind}unresolved`),
      histories: storage.table("histories"),
    };
    const queries = {
      execute: executeQuery(tables.state),
      call: callQuery(tables.state),
      trace: traceQuery(tables.state),
      steps: stepsQuery(tables.state),
    };
    for (const query of Object.values(queries)) node.query(query as typeof queries.execute);
    let opened: PrivacyNode | undefined;
    hooks.lifecycle.registered.tap(({ optionValue: find }) => verifyOptions(config, { find, log }));
    node.services.provide(privacy, (runtime) => {
      if (!config.privacyEnabled) return { node: undefined };
      const { privacyPublicKeyFile: keyFile } = config;
      const { privacyMarkerTransactionSigningKeyFile: markerFile } = config;
      opened = new PrivacyNode({
        runtime,
        log,
        tables,
        queries,
        rules: readRules(runtime.chain.genesis, config),
        nodeKey: keyFile && readPublicKey(keyFile),
        markerKey: markerFile === undefined ? undefined : readMarkerKey(markerFile),
        verifyIntervalMs: config.privacyVerifyInterval * 1000,
      });
      return { node: opened };
    });
    node.health.check("private transactions", ({ clock }) =>
      opened?.isRunning !== true ? { status: "up" } : healthOf(opened, clock.now()),
    );
    declareMetrics(node.metrics, () => opened);
    node.onStart(async ({ building, chain }) => {
      if (opened === undefined) return;
      verifyWholeChain(chain.blocks);
      verifyFreeGas(building.minGasPrice, opened.markerKey);
      await opened.start();
    });
    hooks.chain.headChanged.tap(() => opened?.headMoved());
  },
});
