import { definePlugin } from "@plinth/core";
import { PasswordChecker } from "@plinth/core/primitives";
import { DenialLog, logins, upgradeTargets } from "@plinth/kit-http";
import {
  ENDPOINTS,
  readListeners,
  verifyOpenMethods,
  verifySharedPort,
} from "./guarded-listeners.js";
import { NOT_ENABLED } from "./not-enabled.js";
import type { OpenListener } from "./open-listener.js";
import { options } from "./options.js";

export default definePlugin({
  name: "authentication",
  // Without it the listeners would be open.
  essential: true,
  options,
  setup(node) {
    const listeners = readListeners(node.config);
    const open = new Map<string, OpenListener>();
    for (const endpoint of ENDPOINTS) {
      node.contribute(logins, {
        endpoint,
        answer: async (request) => open.get(endpoint)?.login?.answer(request) ?? NOT_ENABLED,
      });
    }
    if (listeners.length === 0) return;

    const checker = new PasswordChecker();
    node.hooks.lifecycle.registered.tap(({ methods, contributions }) => {
      verifySharedPort(listeners, { hasWebSockets: contributions(upgradeTargets).length > 0 });
      for (const listener of listeners) verifyOpenMethods(listener, methods);
    });
    node.hooks.lifecycle.starting.tap(async (_, { clock, log }) => {
      const { openListener } = await import("./open-listener.js");
      const denials = new DenialLog(log, () => clock);
      for (const listener of listeners) {
        const opened = await openListener(listener, { clock, log, checker, denials });
        open.set(listener.endpoint, opened);
      }
    });
    node.hooks.rpc.admit.tap(({ client, endpoint }) =>
      open.get(endpoint.name)?.guard.admit(client),
    );
    node.hooks.rpc.authorize.tap((event) => open.get(event.endpoint.name)?.guard.authorize(event));
    node.onStop(() => checker.close());
  },
});
