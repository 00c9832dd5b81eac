import { readFileSync } from "node:fs";
import { definePlugin } from "@plinth/core";
import { dependencies } from "./dependencies.js";
import { executeQuery } from "./execute-query.js";
import { options } from "./options.js";
import { PrivacyNode } from "./privacy-node.js";
import { readRules } from "./read-rules.js";
import { privacy } from "./service.js";

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
    const execute = executeQuery(tables.state);
    node.query(execute);
    let opened: PrivacyNode | undefined;
    node.services.provide(privacy, (runtime) => {
      if (config.privacyEnabled) {
        opened = new PrivacyNode({
          runtime,
          log,
          tables,
          queries: { execute },
          rules: readRules(runtime.chain.genesis, config),
          nodeKey: config.privacyPublicKeyFile && readFileSync(config.privacyPublicKeyFile, "utf8"),
        });
      }
      return { node: opened };
    });
    node.onStart(() => opened?.executor.start());
    hooks.chain.headChanged.tap((change) => opened?.executor.headMoved(change));
  },
});
