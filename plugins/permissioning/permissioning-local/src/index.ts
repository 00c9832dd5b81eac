import { definePlugin } from "@plinth/core";
import { localPermissions } from "./api.js";
import { LocalPermissions } from "./local-permissions.js";
import { options } from "./options.js";
import { tapAccountRules, tapNodeRules } from "./tap-rules.js";

export default definePlugin({
  name: "permissioning-local",
  activation: {},
  provides: [localPermissions],
  options,
  setup({ config, hooks, log, services }) {
    let permissions: LocalPermissions | undefined;
    hooks.lifecycle.starting.tap(async (_, runtime) => {
      permissions = await LocalPermissions.open(config, runtime);
    });
    services.provide(localPermissions, () => ({
      get accounts() {
        return permissions?.accounts;
      },
      get nodes() {
        return permissions?.nodes;
      },
      reload: async () => permissions?.reload(),
    }));
    if (config.permissionsAccountsConfigFileEnabled) {
      tapAccountRules(hooks, (account) => permissions?.accounts?.has(account) === true, log);
    }
    if (config.permissionsNodesConfigFileEnabled) {
      tapNodeRules(
        hooks,
        async (node) => permissions?.nodePermissions?.isPermitted(node) ?? false,
        log,
      );
    }
  },
});
