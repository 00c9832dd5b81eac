import type { Route } from "../http/http-service.js";

/** Versions of Tessera's interface that are served; the header between managers names them otherwise. */
const VERSIONS = ["1.0", "2.0", "2.1", "3.0", "4.0", "5.0"];

/** Which versions of the interface there are. */
export const VERSION_API: Route = {
  method: "GET",
  path: "/version/api",
  maxBytes: 0,
  handle: () => ({ status: 200, type: "application/json", body: JSON.stringify(VERSIONS) }),
};
