import type { Route } from "../http/http-service.js";

/** Supported versions of Tessera's API; the header between managers names them differently. */
const VERSIONS = ["1.0", "2.0", "2.1", "3.0", "4.0", "5.0"];

/** Lists the supported API versions. */
export const VERSION_API: Route = {
  method: "GET",
  path: "/version/api",
  maxBytes: 0,
  handle: () => ({ status: 200, type: "application/json", body: JSON.stringify(VERSIONS) }),
};
