import { readFileSync } from "node:fs";
import { definePlugin } from "@plinth/core";
import { callQuery } from "./call-query.js";
import { dependencies } from "./dependencies.js";
import { executeQuery } from "./execute-query.js";
import { options } from "./options.js";
import { PrivacyNode } from "./privacy-node.js";
import { readRules } from "./read-rules.js";
import { privacy } from "./service.js";
import { traceQuery } from "./trace-query.js";

export default definePlugin({
  name: "privacy",
  dependencies,
  provides: [privacy],
  options,
  setup(node) {
    const { config, hooks, storage, log } = node;
    const tables = {
      state: storage.table("state"),
      receipts: storage.table("receipts"),
      groups: storage.table("groups"),
      pending: storage.table("pending"),
      progress: storage.table("progress"),
    };
    const queries = {
      execute: executeQuery(tables.state),
      call: callQuery(tables.state),
      trace: traceQuery(tables.state),
    };
    node.query(queries.execute);
    node.query(queries.call);
    node.query(queries.trace);
    let opened: PrivacyNode | undefined;
    node.services.provide(privacy, (runtime) => {
      if (config.privacyEnabled) {
        opened = new PrivacyNode({
          runtime,
          log,
          tables,
          queries,
          rules: readRules(runtime.chain.genesis, config),
          nodeKey: config.privacyPublicKeyFile && readFileSync(config.privacyPublicKeyFile, "utf8"),
          markerKey: undefined,
          isFlexible: config.privacyFlexibleGroupsEnabled,
        });
      }
      return { node: opened };
    });
    node.onStart(() => opened?.executor.start());
    hooks.chain.headChanged.tap((change) => opened?.executor.headMoved(change));
  },
});
