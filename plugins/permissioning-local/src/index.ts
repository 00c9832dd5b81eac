import { definePlugin } from "@plinth/core";
import { localPermissions } from "./api.js";
import { LocalPermissions } from "./local-permissions.js";
import { options } from "./options.js";
import { warnOfUnused } from "./warn-of-unused.js";

export default definePlugin({
  name: "permissioning-local",
  provides: [localPermissions],
  options,
  setup({ config, hooks, log, onStart, services }) {
    let permissions: LocalPermissions | undefined;
    onStart(async (runtime) => {
      warnOfUnused(config, log);
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
      const isPermitted = (account: string) => permissions?.accounts?.has(account) === true;
      hooks.pool.admit.tap(({ sender }) => {
        if (isPermitted(sender)) return undefined;
        return { message: UNAUTHORIZED, isUnauthorized: true };
      });
      hooks.build.transaction.tap(({ candidate }) =>
        isPermitted(candidate.sender) ? undefined : "skip",
      );
    }
    if (config.permissionsNodesConfigFileEnabled) {
      const refusal = { message: "it is not in the nodes-allowlist" };
      hooks.network.discover.tap(async ({ node }) =>
        (await permissions?.nodePermissions?.isPermitted(node)) === true ? undefined : refusal,
      );
      hooks.network.connect.tap(async ({ peer }) =>
        (await permissions?.nodePermissions?.isPermitted(peer.enode)) === true
          ? undefined
          : refusal,
      );
    }
  },
});

const UNAUTHORIZED = "Sender account not authorized to send transactions";
