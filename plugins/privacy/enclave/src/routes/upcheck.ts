import type { Route } from "../http/http-service.js";

/** Whether the manager is up. */
export const UPCHECK: Route = {
  method: "GET",
  path: "/upcheck",
  maxBytes: 0,
  handle: () => ({ status: 200, body: "I'm up!" }),
};
