import type { HttpRoute, RouteReply, RouteRequest, Runtime } from "@plinth/core";
import { contentPolicy } from "./content-policy.js";
import { findListeners, type PageListeners, type PagePlace } from "./listeners.js";
import type { PageFile } from "./page-files.js";

/** For every file: browsers guess no types, and report nothing to other sites. */
const HEADERS = {
  "cache-control": "no-cache",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
};

/** The routes of the page: its files, and where its listeners are. */
export function pageRoutes(
  files: readonly PageFile[],
  place: () => PagePlace,
): readonly HttpRoute<Runtime>[] {
  return [
    ...files.map(
      (file): HttpRoute<Runtime> => ({
        method: "GET",
        path: file.path,
        handle: (request, runtime) => reply(file, request, findListeners(runtime, place())),
      }),
    ),
    {
      method: "GET",
      path: "/explorer/",
      // Relative, for a proxy may serve the node below another path.
      handle: () => ({ status: 308, headers: { ...HEADERS, location: "../explorer" } }),
    },
    {
      method: "GET",
      path: "/explorer/listeners",
      handle: (_, runtime) => ({ headers: HEADERS, json: findListeners(runtime, place()) }),
    },
  ];
}

function reply(
  { type, content, tag }: PageFile,
  { headers }: RouteRequest,
  listeners: PageListeners,
): RouteReply {
  const common = {
    ...HEADERS,
    "content-type": type,
    "content-security-policy": contentPolicy(headers.host, listeners),
    etag: tag,
  };
  if (headers["if-none-match"] === tag) return { status: 304, headers: common };
  return { headers: common, body: content };
}
