import type { Route } from "../http/http-service.js";
import type { Manager, ManagerStatus } from "../manager.js";

/** Path of the status of a running manager. */
export const STATUS_PATH = "/plinth/status";

/** The status of the manager as JSON, for operator commands. */
export function statusRoute(manager: Manager): Route {
  return {
    method: "GET",
    path: STATUS_PATH,
    maxBytes: 0,
    handle: async () => ({
      status: 200,
      type: "application/json",
      body: JSON.stringify((await manager.status()) satisfies ManagerStatus),
    }),
  };
}
