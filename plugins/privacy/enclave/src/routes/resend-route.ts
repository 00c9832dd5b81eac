import type { Route } from "../http/http-service.js";
import type { Manager, Resent } from "../manager.js";
import { verifyContentType } from "./content-type.js";

/** Path at which an operator makes a running manager recover what it has lost. */
export const RESEND_PATH = "/plinth/resend";

/**
 * Asks other managers to resend everything for the keys of this one; responds with the result of
 * each as JSON.
 */
export function resendRoute(manager: Manager): Route {
  return {
    method: "POST",
    path: RESEND_PATH,
    maxBytes: 2,
    async handle(call) {
      verifyContentType(call);
      const resent: Resent = await manager.resend();
      return { status: 200, type: "application/json", body: JSON.stringify(resent) };
    },
  };
}
