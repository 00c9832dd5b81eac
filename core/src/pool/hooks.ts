import type { Transaction } from "../blocks/transaction.js";
import type { HookFactory } from "../kernel/hooks.js";

/** Hooks of the pool. */
export function createPoolHooks(hook: HookFactory) {
  return {
    added: hook.notify<{ readonly transaction: Transaction }>("pool.added", {
      since: "0.1.0",
      summary: "A transaction is in the pool.",
    }),
  };
}
