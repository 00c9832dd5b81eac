import { definePlugin } from "@plinth/core";
import { localPermissions } from "@plinth/plugin-permissioning-local/api";
import { methods } from "./methods/index.js";
import { warnOfDisabled } from "./warn-of-disabled.js";

export default definePlugin({
  name: "rpc-perm",
  activation: {},
  dependencies: { permissions: localPermissions },
  setup({ rpc, hooks }) {
    rpc.namespace("perm", methods);
    hooks.lifecycle.ready.tap((_, runtime) => warnOfDisabled(runtime));
  },
});
