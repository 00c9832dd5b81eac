import { definePlugin } from "@plinth/core";
import { dependencies } from "./dependencies.js";
import { GroupWatch } from "./group-watch.js";
import { findFlexiblePrivacyGroup } from "./methods/find-flexible-privacy-group.js";
import { getFilterChanges } from "./methods/get-filter-changes.js";
import { getFilterLogs } from "./methods/get-filter-logs.js";
import * as plain from "./methods/index.js";
import { newFilter } from "./methods/new-filter.js";
import { privacyStatus } from "./methods/privacy-status.js";
import { privateTransactionStatus } from "./methods/private-transaction-status.js";
import { rebuildPrivacy } from "./methods/rebuild-privacy.js";
import { subscribe } from "./methods/subscribe.js";
import { uninstallFilter } from "./methods/uninstall-filter.js";
import { unsubscribe } from "./methods/unsubscribe.js";
import { verifyPrivacy } from "./methods/verify-privacy.js";

export default definePlugin({
  name: "rpc-priv",
  activation: { namespaces: ["priv", "privx"] },
  dependencies,
  setup(node) {
    const watch = new GroupWatch();
    const { filters, subscriptions } = watch;
    node.onStart((runtime) => watch.open(runtime));
    node.hooks.chain.headChanged.tap((change, runtime) => watch.headChanged(change, runtime));
    node.rpc.namespace("priv", {
      ...plain,
      newFilter: newFilter(filters),
      getFilterChanges: getFilterChanges(filters),
      getFilterLogs: getFilterLogs(filters),
      uninstallFilter: uninstallFilter(filters),
      subscribe: subscribe(subscriptions),
      unsubscribe: unsubscribe(subscriptions),
    });
    node.rpc.namespace("privx", { findFlexiblePrivacyGroup });
    node.rpc.namespace("plinth", { privacyStatus, privateTransactionStatus, verifyPrivacy });
    node.rpc.namespace("admin", { rebuildPrivacy });
  },
});
