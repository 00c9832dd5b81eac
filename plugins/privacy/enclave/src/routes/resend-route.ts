import type { Route } from "../http/http-service.js";
import type { Manager, Resent } from "../manager.js";
import { verifyContentType } from "./content-type.js";

/** Where an operator has a running manager ask others for what it has lost. */
export const RESEND_PATH = "/plinth/resend";

/** Has other managers send again what is for the keys of this one; answers what each of them said, as JSON. */
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
