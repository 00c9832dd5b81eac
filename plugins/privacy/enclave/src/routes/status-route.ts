import type { Route } from "../http/http-service.js";
import type { Manager, ManagerStatus } from "../manager.js";

/** Where a running manager says how it is. */
export const STATUS_PATH = "/plinth/status";

/** How the manager is, as JSON, for the commands of its operator. */
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
